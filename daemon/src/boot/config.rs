//! Where the settings come from: the file, the environment, the flags.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use fountain_core::settings::{self, File, Settings, Sources};

use super::NotStarted;

/// What `fountain serve` was told.
#[derive(Clone, Debug, Default)]
pub struct Flags {
    /// `--listen`.
    pub listen: Option<SocketAddr>,
    /// `--data-dir`.
    pub data_dir: Option<PathBuf>,
    /// `--config`, or `FOUNTAIN_CONFIG`.
    pub config: Option<PathBuf>,
}

/// Reads the settings and fills in the platform's data directory.
///
/// # Errors
/// Names every mistake with its place.
pub fn load(flags: &Flags) -> Result<Settings, NotStarted> {
    let path = flags.config.clone().or_else(default_file);
    let text = match &path {
        Some(path) => read(path, flags.config.is_some())?,
        None => None,
    };
    let name = path
        .map(|path| path.display().to_string())
        .unwrap_or_default();
    let environment: Vec<(String, String)> = std::env::vars_os()
        .filter_map(|(key, value)| Some((key.into_string().ok()?, value.into_string().ok()?)))
        .collect();
    let given = settings::Flags {
        listen: flags.listen,
        data_dir: flags.data_dir.clone(),
    };
    let sources = Sources {
        file: text.as_deref().map(|text| File { name: &name, text }),
        environment: &environment,
        flags: Some(&given),
    };
    let mut settings =
        Settings::load(&sources).map_err(|invalid| NotStarted::new(invalid.to_string()))?;
    if settings.data_dir.is_none() {
        settings.data_dir = directories::ProjectDirs::from("", "", "fountain")
            .map(|dirs| dirs.data_dir().to_owned());
    }
    Ok(settings)
}

fn default_file() -> Option<PathBuf> {
    Some(
        directories::ProjectDirs::from("", "", "fountain")?
            .config_dir()
            .join("config.toml"),
    )
}

fn read(path: &Path, named: bool) -> Result<Option<String>, NotStarted> {
    match std::fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound && !named => Ok(None),
        Err(error) => Err(NotStarted::new(format!(
            "the configuration {} cannot be read: {error}",
            path.display()
        ))),
    }
}

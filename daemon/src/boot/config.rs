//! Where the settings come from: the file, the environment, the options.

use std::path::{Path, PathBuf};

use fountain_core::settings::{self, File, Settings, Sources};

use super::NotStarted;
use crate::serve::Options;

/// Reads the settings and fills in the platform's data directory.
///
/// # Errors
/// Names every mistake with its place.
pub fn load(options: &Options) -> Result<Settings, NotStarted> {
    let named = options.config.clone().or_else(|| {
        std::env::var_os("FOUNTAIN_CONFIG")
            .filter(|path| !path.is_empty())
            .map(PathBuf::from)
    });
    let path = named.clone().or_else(default_file);
    let text = match &path {
        Some(path) => read(path, named.is_some())?,
        None => None,
    };
    let name = path
        .map(|path| path.display().to_string())
        .unwrap_or_default();
    let environment: Vec<(String, String)> = std::env::vars_os()
        .filter_map(|(key, value)| Some((key.into_string().ok()?, value.into_string().ok()?)))
        .collect();
    let given = settings::Flags {
        listen: options.listen,
        data_dir: options.data_dir.clone(),
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

//! `completions/` and `man/` are what the program generates. `UPDATE=1 cargo test generated` rewrites them.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::kit::Home;

type Files = BTreeMap<String, String>;

#[test]
fn completions() {
    let home = Home::new();
    let shells = [
        ("bash", "fountain.bash"),
        ("elvish", "fountain.elv"),
        ("fish", "fountain.fish"),
        ("powershell", "fountain.ps1"),
        ("zsh", "_fountain"),
    ];
    let generated = shells.map(|(shell, file)| {
        let done = home.run(&["completions", shell]).ok();
        (file.to_owned(), done.out)
    });
    compare("completions", &generated.into());
}

#[test]
fn manual() {
    let home = Home::new();
    let folder = home.path().join("man");
    let done = home.run(&["man", "--dir", folder.to_str().unwrap()]).ok();
    assert!(folder.is_dir(), "{done}");
    compare("man", &read(&folder));
}

#[track_caller]
fn compare(name: &str, generated: &Files) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
    if std::env::var_os("UPDATE").is_some_and(|update| update == "1") {
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        for (file, text) in generated {
            let path = folder.join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        return;
    }
    let kept = read(&folder);
    let advice = "`UPDATE=1 cargo test generated` rewrites it";
    let names = |files: &Files| files.keys().cloned().collect::<Vec<_>>();
    assert_eq!(
        names(&kept),
        names(generated),
        "the files of {name}/: {advice}"
    );
    for (file, text) in generated {
        assert!(
            kept[file] == *text,
            "{name}/{file} is not what the program generates: {advice}"
        );
    }
}

/// Every file of a folder and of those in it, by its path there.
fn read(folder: &Path) -> Files {
    let mut files = Files::new();
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        if entry.path().is_dir() {
            let within = read(&entry.path());
            files.extend(
                within
                    .into_iter()
                    .map(|(file, text)| (format!("{name}/{file}"), text)),
            );
        } else {
            files.insert(name, fs::read_to_string(entry.path()).unwrap());
        }
    }
    files
}

//! Builds the page with npm, if Node is there, and makes its files part of the program.
//!
//! The page is built in a copy below `OUT_DIR`: nothing appears in the source tree. Whatever goes wrong is a warning: the program then shows a plain page that
//! says what to do.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, io};

/// What the page is made of; nothing else is copied.
const SOURCES: [&str; 8] = [
    "index.html",
    "package.json",
    "package-lock.json",
    ".npmrc",
    "tsconfig.json",
    "vite.config.ts",
    "src",
    "public",
];

fn main() {
    let page = Path::new("page");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=FREIRAUM_STUDIO_SKIP_PAGE");
    for source in SOURCES {
        // A path that is not there would run this script every time.
        if page.join(source).exists() {
            println!("cargo::rerun-if-changed=page/{source}");
        } else {
            println!("cargo::rerun-if-changed=page");
        }
    }
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it"));
    let built = if env::var_os("FREIRAUM_STUDIO_SKIP_PAGE").is_some() || !page.join("package.json").exists() {
        None
    } else {
        let built = build(page, &out.join("page"));
        if let Err(why) = &built {
            println!("cargo::warning=the page of the studio is not built: {why}");
            // Never there: the next build tries again, with npm or a network by then.
            println!("cargo::rerun-if-changed={}", out.join("try-again").display());
        }
        built.ok()
    };
    let mut list = String::from("&[\n");
    if let Some(folder) = built {
        let mut files = Vec::new();
        collect(&folder, &folder, &mut files).expect("what was just built can be listed");
        files.sort();
        for (name, path) in files {
            writeln!(list, "    ({name:?}, include_bytes!({path:?}) as &[u8]),")
                .expect("a string takes everything");
        }
    }
    list.push_str("]\n");
    fs::write(out.join("files.rs"), list).expect("OUT_DIR can be written");
}

/// Builds the page in a copy of its sources; the folder with the result.
fn build(page: &Path, copy: &Path) -> Result<PathBuf, String> {
    let npm = if cfg!(windows) { "npm.cmd" } else { "npm" };
    let has_npm = Command::new(npm).arg("--version").output().is_ok_and(|output| output.status.success());
    if !has_npm {
        return Err("there is no npm; install Node.js and build again".to_owned());
    }
    for source in SOURCES {
        let to = copy.join(source);
        let _ = fs::remove_dir_all(&to);
        copy_all(&page.join(source), &to).map_err(|e| format!("{source}: {e}"))?;
    }
    // Installing takes longest and is needed only when the list of packages has changed.
    let lock = fs::read(copy.join("package-lock.json")).map_err(|e| format!("package-lock.json: {e}"))?;
    let mark = copy.join("installed-lock.json");
    if fs::read(&mark).ok().as_ref() != Some(&lock) || !copy.join("node_modules").is_dir() {
        // Without a network it shall fail soon: the program is useful without the page.
        let patience =
            ["--fetch-retries=1", "--fetch-retry-mintimeout=1000", "--fetch-retry-maxtimeout=2000"];
        let arguments = ["ci", "--prefer-offline", "--no-audit", "--no-fund", "--ignore-scripts"];
        run(npm, &[&arguments[..], &patience].concat(), copy)?;
        fs::write(&mark, lock).map_err(|e| e.to_string())?;
    }
    run(npm, &["run", "build"], copy)?;
    let dist = copy.join("dist");
    if dist.join("index.html").is_file() {
        Ok(dist)
    } else {
        Err("npm run build left no dist/index.html".to_owned())
    }
}

fn run(program: &str, arguments: &[&str], folder: &Path) -> Result<(), String> {
    let output =
        Command::new(program).args(arguments).current_dir(folder).output().map_err(|e| e.to_string())?;
    if output.status.success() {
        return Ok(());
    }
    let text = [output.stdout, output.stderr].concat();
    let text = String::from_utf8_lossy(&text);
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let last = lines[lines.len().saturating_sub(12)..].join(" | ");
    Err(format!("{program} {} failed: {last}", arguments.join(" ")))
}

fn copy_all(from: &Path, to: &Path) -> io::Result<()> {
    if from.is_dir() {
        fs::create_dir_all(to)?;
        for entry in fs::read_dir(from)? {
            let entry = entry?;
            copy_all(&entry.path(), &to.join(entry.file_name()))?;
        }
    } else if from.is_file() {
        fs::create_dir_all(to.parent().unwrap_or(to))?;
        fs::copy(from, to)?;
    }
    Ok(())
}

/// All files in a folder with their names below `root`, with `/` between the parts.
fn collect(root: &Path, folder: &Path, files: &mut Vec<(String, PathBuf)>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(root, &path, files)?;
        } else if let Ok(name) = path.strip_prefix(root) {
            let parts: Vec<_> = name.components().map(|part| part.as_os_str().to_string_lossy()).collect();
            files.push((parts.join("/"), path.canonicalize()?));
        }
    }
    Ok(())
}

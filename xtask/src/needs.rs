//! What the tasks need besides Rust, how to see whether it is there, and how to get it.

use std::process::{Command, Stdio};

/// Something a task needs.
pub(crate) struct Need {
    /// A command that succeeds when the thing is there.
    probe: &'static [&'static str],
    /// How to get it: a Debian package, or a rustup component.
    source: Source,
}

enum Source {
    Rustup(&'static str),
    /// The standard library for another system.
    RustupTarget(&'static str),
    Debian(&'static str),
}

pub(crate) const RUSTFMT: Need =
    Need { probe: &["cargo", "fmt", "--version"], source: Source::Rustup("rustfmt") };
pub(crate) const CLIPPY: Need =
    Need { probe: &["cargo", "clippy", "--version"], source: Source::Rustup("clippy") };
/// A system that nothing here runs on; a check needs its standard library only, no linker.
pub(crate) const WINDOWS_TARGET: &str = "x86_64-pc-windows-gnu";
pub(crate) const WINDOWS: Need = Need {
    probe: &["sh", "-c", "test -d \"$(rustc --print sysroot)/lib/rustlib/x86_64-pc-windows-gnu/lib\""],
    source: Source::RustupTarget(WINDOWS_TARGET),
};
pub(crate) const CPLUSPLUS: Need = Need { probe: &["g++", "--version"], source: Source::Debian("g++") };
pub(crate) const CGAL: Need = Need {
    probe: &["test", "-e", "/usr/include/CGAL/optimal_bounding_box.h"],
    source: Source::Debian("libcgal-dev"),
};
pub(crate) const EIGEN: Need =
    Need { probe: &["test", "-d", "/usr/include/eigen3"], source: Source::Debian("libeigen3-dev") };
/// What the tools that build the page and its tests ask for: 20.19 or later, not 21, 22.12 or later.
pub(crate) const NODE: Need = Need {
    probe: &[
        "node",
        "-e",
        "const [a, b] = process.versions.node.split('.').map(Number); process.exit(a > 22 || (a === 22 && b >= 12) || (a === 20 && b >= 19) ? 0 : 1)",
    ],
    source: Source::Debian("nodejs"),
};
pub(crate) const NPM: Need = Need { probe: &["npm", "--version"], source: Source::Debian("npm") };
pub(crate) const CHROMIUM: Need =
    Need { probe: &["/usr/bin/chromium", "--version"], source: Source::Debian("chromium") };

/// A graphics processor in software.
pub(crate) const VULKAN: Need = Need {
    probe: &["sh", "-c", "ls /usr/share/vulkan/icd.d/*.json"],
    source: Source::Debian("mesa-vulkan-drivers"),
};
/// What finds the drivers of graphics processors.
pub(crate) const VULKAN_LOADER: Need = Need {
    probe: &["sh", "-c", "ldconfig -p | grep --quiet libvulkan.so.1"],
    source: Source::Debian("libvulkan1"),
};

pub(crate) const FCL: Need =
    Need { probe: &["test", "-e", "/usr/include/fcl/fcl.h"], source: Source::Debian("libfcl-dev") };
pub(crate) const EMBREE: Need =
    Need { probe: &["test", "-e", "/usr/include/embree3/rtcore.h"], source: Source::Debian("libembree-dev") };

/// Makes sure that `need` is met, installing it where that is possible; otherwise says what to type.
pub(crate) fn ensure(need: &Need) -> Result<(), String> {
    if succeeds(need.probe) {
        return Ok(());
    }
    let by_hand = match need.source {
        Source::Rustup(component) => {
            succeeds(&["rustup", "component", "add", component]);
            format!("rustup component add {component}")
        }
        Source::RustupTarget(target) => {
            succeeds(&["rustup", "target", "add", target]);
            format!("rustup target add {target}")
        }
        Source::Debian(package) => {
            if succeeds(&["test", "-e", "/etc/debian_version"])
                && succeeds(&["sh", "-c", "test $(id -u) = 0"])
            {
                eprintln!("installing {package}");
                succeeds(&["apt-get", "update"]);
                succeeds(&["apt-get", "install", "--yes", "--no-install-recommends", package]);
            }
            format!("sudo apt-get install {package}")
        }
    };
    if succeeds(need.probe) {
        return Ok(());
    }
    Err(format!("`{}` does not work here and could not be installed; run: {by_hand}", need.probe.join(" ")))
}

fn succeeds(command: &[&str]) -> bool {
    Command::new(command[0])
        .args(&command[1..])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|s| s.success())
}

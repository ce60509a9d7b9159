//! Who sees to it that a program ends with us, also when we are interrupted or killed.

#[cfg(unix)]
use std::io::Write;
#[cfg(unix)]
use std::process::{Child, ChildStdin, Command, Stdio};

/// Waits for a word, or for the end of whoever should say it; then kills a process group. After such an end the group gets a fifth of a
/// second: its standard input has ended, too. Signals of a terminal are for others.
#[cfg(unix)]
const SCRIPT: &str = "trap '' INT HUP TERM; read word || sleep 0.2; kill -s KILL -- \"-$0\"";

/// A shell beside a program. The standard library kills single processes only, and nothing of a process that is killed itself.
///
/// A group keeps its number as long as anybody is in it, so nobody else is hit.
#[cfg(unix)]
pub(super) struct Guard {
    shell: Option<(Child, ChildStdin)>,
}

#[cfg(unix)]
impl Guard {
    /// Guards the process group with this number.
    pub(super) fn of_group(leader: u32) -> Guard {
        let mut command = Command::new("/bin/sh");
        command.args(["-c", SCRIPT, &leader.to_string()]);
        // With our output in its hands, whoever reads that would wait for it.
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let shell = command.spawn().ok().and_then(|mut shell| {
            let word = shell.stdin.take()?;
            Some((shell, word))
        });
        Guard { shell }
    }

    /// Kills the group now; the second time nothing happens.
    pub(super) fn kill(&mut self) {
        if let Some((mut shell, mut word)) = self.shell.take() {
            let _ = word.write_all(b"now\n");
            drop(word);
            let _ = shell.wait();
        }
    }
}

/// Without process groups there is nothing to guard.
#[cfg(not(unix))]
pub(super) struct Guard;

#[cfg(not(unix))]
impl Guard {
    pub(super) fn of_group(_leader: u32) -> Guard {
        Guard
    }

    pub(super) fn kill(&mut self) {}
}

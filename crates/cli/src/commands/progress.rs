//! A sign of life on stderr for work that takes longer than a second; nothing where stderr is no terminal.

use indicatif::ProgressBar;
use std::io::IsTerminal;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

/// Short work stays silent.
const PATIENCE: Duration = Duration::from_secs(1);

/// Shows what is being done, from the first second on until it is dropped.
pub(super) struct Progress {
    worker: Option<(Sender<String>, JoinHandle<()>)>,
}

impl Progress {
    pub(super) fn new(task: &str) -> Progress {
        if !std::io::stderr().is_terminal() {
            return Progress { worker: None };
        }
        let (sender, receiver) = channel();
        let task = task.to_owned();
        Progress { worker: Some((sender, std::thread::spawn(move || show(task, &receiver)))) }
    }

    /// The work goes on with something else.
    pub(super) fn now(&self, task: &str) {
        if let Some((sender, _)) = &self.worker {
            // The worker ends only when this sender is dropped.
            let _ = sender.send(task.to_owned());
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some((sender, worker)) = self.worker.take() {
            drop(sender);
            // Joined so that the line is cleared before the answer is printed.
            let _ = worker.join();
        }
    }
}

fn show(mut task: String, receiver: &Receiver<String>) {
    let mut patience = PATIENCE;
    let start = std::time::Instant::now();
    loop {
        match receiver.recv_timeout(patience) {
            Ok(next) => task = next,
            Err(RecvTimeoutError::Timeout) => break,
            Err(RecvTimeoutError::Disconnected) => return,
        }
        patience = PATIENCE.saturating_sub(start.elapsed());
    }
    let bar = ProgressBar::new_spinner().with_message(task);
    bar.enable_steady_tick(Duration::from_millis(100));
    while let Ok(next) = receiver.recv() {
        bar.set_message(next);
    }
    bar.finish_and_clear();
}

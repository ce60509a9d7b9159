//! A running studio.

use crate::clock::Clock;
use crate::document::Session;
use crate::files::Files;
use crate::web::{Guard, Web, router, serve};
use freiraum_world::control::Programs;
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::runtime::Runtime;
use tokio::sync::{Semaphore, oneshot};

/// Pages that may be open at once.
const MOST_PAGES: usize = 64;

/// Long questions that are worked on at once.
const MOST_WORK: usize = 8;

/// Files that come in at once.
const MOST_UPLOADS: usize = 4;

/// Room for all messages that are worked on, in KiB.
const ROOM: usize = 1 << 16;

/// How long the end may take.
const PATIENCE: Duration = Duration::from_secs(2);

/// What to serve, and where.
#[derive(Clone, Debug)]
pub struct Options {
    /// The scene to open; without one, the page offers the examples.
    pub scene: Option<PathBuf>,
    /// The name or address to listen on.
    pub host: String,
    /// The port; 0 for a free one.
    pub port: u16,
    /// Scenes to start with.
    pub examples: Vec<Example>,
    /// Where unsaved work and examples are kept; `None` for the cache of the user.
    pub cache: Option<PathBuf>,
    /// Programs that the scene may start as drivers of its vehicles. Scenes that name others are refused, whoever sends them.
    pub programs: Programs,
    /// Serve the page from this folder instead of the one in the program, for development.
    pub page: Option<PathBuf>,
    /// The time by which the world runs; a test may put its own here.
    pub clock: Clock,
}

impl Default for Options {
    fn default() -> Options {
        let host = "127.0.0.1".to_owned();
        Options {
            scene: None,
            host,
            port: 0,
            examples: Vec::new(),
            cache: None,
            programs: Programs::none(),
            page: None,
            clock: Clock::default(),
        }
    }
}

/// A scene to start with.
#[derive(Clone, Copy, Debug)]
pub struct Example {
    /// How the page calls it.
    pub name: &'static str,
    /// Writes its files into a folder; where the scene is, or why not.
    pub write: fn(&Path) -> Result<PathBuf, String>,
}

/// Why the studio does not start.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StudioError {
    /// The address is not to be had.
    #[error("cannot listen on {host}, port {port}: {}", why(error))]
    Listen {
        /// As asked for.
        host: String,
        /// As asked for.
        port: u16,
        /// Why not.
        error: std::io::Error,
    },
    /// The folder of the scene is not there.
    #[error("cannot open {}: {error}", path.display())]
    Folder {
        /// The scene or the folder.
        path: PathBuf,
        /// Why not.
        error: std::io::Error,
    },
    /// The system refuses threads, randomness, or something else that everything needs.
    #[error("cannot start: {0}")]
    System(#[from] std::io::Error),
}

/// Why an address is not to be had, and what to do.
fn why(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::AddrInUse => {
            "another program uses this port; choose another one, or 0 for a free one".to_owned()
        }
        std::io::ErrorKind::PermissionDenied => {
            format!("{error}; ports below 1024 are for the system as a rule")
        }
        std::io::ErrorKind::AddrNotAvailable => "this is no address of this machine".to_owned(),
        _ => error.to_string(),
    }
}

/// A running studio; it ends when this is dropped.
pub struct Studio {
    address: String,
    is_loopback: bool,
    runtime: Option<Runtime>,
    stop: Option<oneshot::Sender<()>>,
    web: Option<Arc<Web>>,
}

impl Studio {
    /// Starts to serve. A scene that is wrong does not stop it: the page shows what is wrong.
    pub fn start(options: Options) -> Result<Studio, StudioError> {
        let Options { scene, host, port, examples, cache, programs, page, clock } = options;
        let folder = scene.as_deref().map_or(Path::new("."), |scene| scene.parent().unwrap_or(Path::new("")));
        let files = Files::of(folder, programs)
            .map_err(|error| StudioError::Folder { path: scene.clone().unwrap_or_default(), error })?;
        // What a studio that was killed left half written.
        freiraum_files::sweep(files.root());
        let cache = cache.or_else(|| Some(freiraum_files::cache_folder()?.join("studio")));
        let failed = |error| StudioError::Listen { host: host.clone(), port, error };
        let listener = std::net::TcpListener::bind((host.as_str(), port)).map_err(failed)?;
        listener.set_nonblocking(true).map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        let is_loopback = address.ip().is_loopback();
        // A host that stands for all addresses is no address to open.
        let shown = match address.ip() {
            IpAddr::V4(ip) if ip.is_unspecified() => "127.0.0.1".to_owned(),
            IpAddr::V6(ip) if ip.is_unspecified() => "::1".to_owned(),
            _ => host.clone(),
        };
        let guard = Guard::new(&shown, address.port(), is_loopback)?;
        let address = format!("{}/?token={}", guard.origin(), guard.token());
        let names = examples.iter().map(|example| example.name).collect();
        let session = Session::start(files, scene, examples, cache, clock)?;
        let web = Arc::new(Web {
            guard,
            session,
            examples: names,
            page,
            places: Arc::new(Semaphore::new(MOST_PAGES)),
            workers: Arc::new(Semaphore::new(MOST_WORK)),
            uploads: Arc::new(Semaphore::new(MOST_UPLOADS)),
            room: Arc::new(Semaphore::new(ROOM)),
        });
        let (stop, stopped) = oneshot::channel::<()>();
        let app = router(web.clone());
        // Last: where this fails earlier, dropping a runtime may not be allowed.
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
        let entered = runtime.enter();
        let listener = TcpListener::from_std(listener).map_err(failed)?;
        drop(entered);
        runtime.spawn(async move {
            tokio::select! {
                () = serve(listener, app) => {}
                _ = stopped => {}
            }
        });
        Ok(Studio { address, is_loopback, runtime: Some(runtime), stop: Some(stop), web: Some(web) })
    }

    /// The address to open, with the token.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// Whether only this machine can reach it.
    pub fn is_loopback(&self) -> bool {
        self.is_loopback
    }

    /// Serves until the user interrupts it, or the system asks it to end. Both are listened for before `listening` is called, so that whoever is
    /// told of the studio there can end it cleanly at once.
    pub fn wait(self, listening: impl FnOnce(&Studio)) -> std::io::Result<()> {
        let Some(runtime) = &self.runtime else { return Ok(()) };
        let entered = runtime.enter();
        let interrupted = interruption()?;
        drop(entered);
        listening(&self);
        runtime.block_on(interrupted);
        Ok(())
    }
}

/// Ends when somebody asks for it; listens from the call on, not only when it is awaited.
#[cfg(unix)]
fn interruption() -> std::io::Result<impl Future<Output = ()>> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut end = signal(SignalKind::terminate())?;
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = end.recv() => {}
        }
    })
}

#[cfg(windows)]
fn interruption() -> std::io::Result<impl Future<Output = ()>> {
    let mut interrupt = tokio::signal::windows::ctrl_c()?;
    Ok(async move {
        interrupt.recv().await;
    })
}

impl Drop for Studio {
    fn drop(&mut self) {
        if let Some(stop) = self.stop.take() {
            // Nobody is there to hear it if serving has failed.
            let _ = stop.send(());
        }
        if let Some(runtime) = self.runtime.take() {
            // In a thread of its own: where this is dropped, waiting may not be allowed.
            let end = std::thread::spawn(move || runtime.shutdown_timeout(PATIENCE));
            let _ = end.join();
        }
        // The session ends with the last reference.
        self.web = None;
    }
}

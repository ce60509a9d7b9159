//! Which processor this is, and all of its cores.

/// The name of the processor as the system gives it, or the architecture.
#[must_use]
pub fn name() -> String {
    let of_linux = std::fs::read_to_string("/proc/cpuinfo").ok().and_then(|text| {
        let line = text.lines().find(|line| line.starts_with("model name"))?;
        Some(line.split(':').nth(1)?.trim().to_owned())
    });
    of_linux.unwrap_or_else(|| std::env::consts::ARCH.to_owned())
}

/// The widest vector instructions that this processor has, of those that matter here.
#[must_use]
pub fn vectors() -> &'static str {
    #[cfg(target_arch = "x86_64")]
    return if is_x86_feature_detected!("avx512f") {
        "AVX-512"
    } else if is_x86_feature_detected!("avx2") {
        "AVX2"
    } else {
        "SSE2"
    };
    #[cfg(not(target_arch = "x86_64"))]
    return "plain";
}

/// Threads on all cores, also when this process was started on one of them only (`cargo xtask bench` does so).
pub fn all_cores() -> rayon::ThreadPool {
    #[cfg(target_os = "linux")]
    {
        use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
        // Threads inherit the cores of the one that starts them; afterwards this one goes back to its own.
        let own = sched_getaffinity(None);
        let mut every = CpuSet::new();
        (0..CpuSet::MAX_CPU).for_each(|cpu| every.set(cpu));
        let widened = sched_setaffinity(None, &every);
        let pool = pool();
        if let (Ok(()), Ok(own)) = (widened, own) {
            let _ = sched_setaffinity(None, &own);
        }
        pool
    }
    #[cfg(not(target_os = "linux"))]
    pool()
}

fn pool() -> rayon::ThreadPool {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads")
}

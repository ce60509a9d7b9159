//! Programs as controllers: those that do well, and those that crash, hang, flood or lie. Needs `python3`: without it the tests say so, or fail where it is required.

use freiraum_geometry::Pose;
use freiraum_scene::{
    Controller as Named, Drive, MassModel, Mount, Noise, Place, Scene, Sensor, SensorKind, Vehicle,
    VehicleModel,
};
use freiraum_testkit::folder::Folder;
use freiraum_testkit::skip::has_python;
use freiraum_testkit::within::within;
use freiraum_world::control::{self, Controller, Keyboard, Keys, Program, Seen, SeenReading};
use freiraum_world::vehicle::{Command, GripperCommand};
use freiraum_world::{Measured, Reading};
use std::ops::RangeInclusive;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

const STOP: Command = Command::Drive { speed: 0.0, turn: 0.0 };

fn scene(controller: Option<Named>) -> Scene {
    let mut scene = Scene::default();
    scene.world.vehicles.push(Vehicle {
        name: "robot".to_owned(),
        model: VehicleModel::KheperaGripper,
        pose: Pose::IDENTITY,
        drive: Drive::Kinematic,
        masses: MassModel::Distributed,
        full_collision: true,
        is_active: true,
        controller,
        color: None,
        place: Place::default(),
    });
    scene.world.sensors.push(Sensor {
        name: "ahead".to_owned(),
        mount: Mount::Vehicle(0),
        mount_from_sensor: Pose::IDENTITY,
        kind: SensorKind::Infrared { range: 2.0 },
        rate: 0.0,
        blind_to: Vec::new(),
        blind_to_vehicles: Vec::new(),
        sees_itself: false,
        noise: Noise::default(),
        place: Place::default(),
    });
    scene
}

/// What is asked in a step, at this time, with this distance ahead.
fn ask(
    controller: &mut dyn Controller,
    scene: &Scene,
    time: f64,
    distance: f64,
) -> (Vec<Command>, Vec<String>) {
    let reading = Reading { time, value: Measured::Distance(distance) };
    let seen = Seen {
        scene,
        vehicle: 0,
        time,
        step: 0.01,
        pose: Pose::IDENTITY,
        speed: [0.0; 2],
        holds: None,
        poses: &[],
        readings: &[SeenReading { sensor: 0, is_new: true, reading: &reading }],
        events: &[],
    };
    let (mut commands, mut notes) = (Vec::new(), Vec::new());
    controller.step(&seen, &mut commands, &mut notes);
    (commands, notes)
}

struct Tried {
    commands: Vec<Vec<Command>>,
    notes: Vec<String>,
    program: Program,
}

/// How long an answer is waited for that is not late: a guard against hanging only, for the machine does other things as well.
const LONG: Duration = Duration::from_secs(60);

/// Some steps of a program in Python that is written into a folder. Answers may take `timeout` seconds.
fn steps(text: &str, timeout: f64, count: usize) -> Tried {
    steps_of(text, count, |command, folder| Program::new(command, timeout, folder))
}

/// As [`steps`], but time stands still for the program, except that the answers to the questions `late` do not come in time.
fn steps_with_late(text: &str, timeout: f64, count: usize, late: RangeInclusive<u64>) -> Tried {
    steps_of(text, count, |command, folder| {
        let patience = move |number, _| if late.contains(&number) { Duration::ZERO } else { LONG };
        Program::new(command, timeout, folder).with_patience(patience)
    })
}

fn steps_of(text: &str, count: usize, program: impl FnOnce(&[String], &Path) -> Program) -> Tried {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let folder = Folder::new(&format!("control_programs_{}", COUNT.fetch_add(1, Ordering::Relaxed)));
    std::fs::write(folder.path().join("drive.py"), text).unwrap();
    let mut program = program(&["python3".to_owned(), "drive.py".to_owned()], folder.path());
    let scene = scene(None);
    let mut tried =
        Tried { commands: Vec::new(), notes: Vec::new(), program: Program::new(&[], 1.0, folder.path()) };
    for k in 0..count {
        let (commands, notes) =
            ask(&mut program, &scene, 0.01 * k as f64, if k % 2 == 0 { 1.5 } else { f64::INFINITY });
        tried.commands.push(commands);
        tried.notes.extend(notes);
    }
    tried.program = program;
    tried
}

/// Reads the hello, then does this for every line `n`, which is `q`.
fn each(body: &str) -> String {
    format!(
        "import sys, json, time, os\nhello = json.loads(sys.stdin.readline())\n\
         def say(x): print(x if isinstance(x, str) else json.dumps(x), flush=True)\n\
         for line in sys.stdin:\n    q = json.loads(line)\n    n = q['n']\n    {}\n",
        body.replace('\n', "\n    ")
    )
}

#[test]
fn commands_come_back() {
    if !has_python() {
        return;
    }
    let text = each(
        "assert hello['hello'] == 1 and hello['vehicle'] == 'robot' and hello['units'] == 'm'\n\
         assert hello['model'] == 'khepera with gripper' and hello['step'] == 0.01\n\
         assert hello['commands'] == ['drive', 'wheels', 'gripper', 'log'], hello\n\
         s = hello['sensors'][0]\n\
         assert s['name'] == 'ahead' and s['kind'] == 'infrared' and s['range'] == 2.0 and len(s['pose']) == 6\n\
         d = q['sensors']['ahead']\n\
         assert d['new'] and d['t'] == q['t'] and q['holds'] is None and q['events'] == []\n\
         assert (d['value'] is None) == (n % 2 == 0)\n\
         say([{'drive': {'speed': d['value'] or 0, 'turn': q['t']}}, {'gripper': 'close'}] if n != 3 else {'log': 'three'})",
    );
    let tried = steps(&text, 5.0, 100);
    assert_eq!(tried.notes, ["its program says: three"]);
    assert!(tried.program.is_running());
    for (k, commands) in tried.commands.iter().enumerate() {
        let drive = Command::Drive { speed: if k % 2 == 0 { 1.5 } else { 0.0 }, turn: 0.01 * k as f64 };
        let expected = vec![drive, Command::Gripper(GripperCommand::Close)];
        assert_eq!(*commands, if k == 2 { Vec::new() } else { expected });
    }
}

#[test]
fn a_crash_is_told_with_its_reason() {
    if !has_python() {
        return;
    }
    let tried = steps(&each("if n == 5: raise ValueError('no way out')\nsay({'n': n})"), 5.0, 1000);
    assert_eq!(tried.notes.len(), 1);
    let told = &tried.notes[0];
    assert_eq!(told, "stops for good: its program has ended with exit code 1: ValueError: no way out");
    assert_eq!(tried.commands[4], [STOP]);
    assert!(tried.commands.iter().enumerate().all(|(k, c)| k == 4 || c.is_empty()));
    let tried = steps(&each("os.kill(os.getpid(), 9)"), 5.0, 10);
    assert_eq!(tried.notes, ["stops for good: its program has ended with signal 9"]);
    let tried = steps(&each("sys.exit(0)"), 5.0, 10);
    assert_eq!(tried.notes, ["stops for good: its program has ended"]);
    // It lives on, but nobody can hear it.
    let tried = steps(&each("os.close(1)\ntime.sleep(100)"), 5.0, 10);
    assert_eq!(tried.notes, ["stops for good: its program has closed its output"]);
}

#[test]
fn what_is_not_there_is_told() {
    let folder = Folder::new("control_none");
    let check = |command: &[&str], at: &Path, expected: &str| {
        let command: Vec<String> = command.iter().map(|word| (*word).to_owned()).collect();
        let mut program = Program::new(&command, 1.0, at);
        let scene = scene(None);
        let (commands, notes) = ask(&mut program, &scene, 0.0, 1.0);
        assert_eq!(commands, [STOP]);
        assert!(notes.len() == 1 && notes[0].contains(expected), "{notes:?}");
        assert_eq!(ask(&mut program, &scene, 0.01, 1.0), (Vec::new(), Vec::new()));
    };
    check(&["no-such-program-anywhere"], folder.path(), "\"no-such-program-anywhere\" was not found");
    check(&["./drive.py"], folder.path(), "was not found");
    check(&[], folder.path(), "has no name");
    check(&["sh"], &folder.path().join("nowhere"), "cannot run in the folder");
    std::fs::write(folder.path().join("plain.txt"), "hello").unwrap();
    check(&["./plain.txt"], folder.path(), "cannot be started");
}

#[test]
fn the_program_is_found_beside_the_scene() {
    if !has_python() {
        return;
    }
    let folder = Folder::new("control_beside");
    let path = folder.path().join("drive");
    std::fs::write(&path, format!("#!/usr/bin/env python3\n{}", each("say({'log': os.getcwd()})"))).unwrap();
    #[cfg(unix)]
    std::fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let named = Named::Program {
        command: vec!["./drive".to_owned()],
        timeout: 5.0,
        rate: 0.0,
        folder: folder.path().to_owned(),
    };
    let scene = scene(Some(named.clone()));
    let mut controller = control::of(&named);
    let (_, notes) = ask(&mut *controller, &scene, 0.0, 1.0);
    let here = folder.path().canonicalize().unwrap();
    assert_eq!(notes, [format!("its program says: {}", here.display())]);
}

#[test]
fn a_hang_costs_three_timeouts() {
    if !has_python() {
        return;
    }
    let text = each("if n == 3: time.sleep(1000)\nsay({'n': n, 'gripper': 'open'})");
    let tried = steps_with_late(&text, 0.2, 1000, 3..=1000);
    let expected = [
        "stops: its program does not answer within 0.2 s; it is asked again, and this is not told again",
        "stops for good: its program does not answer within 0.2 s, the third failure in a row",
    ];
    assert_eq!(tried.notes, expected);
    assert!(tried.commands[2..5].iter().all(|commands| *commands == [STOP]));
    assert!(tried.commands[5..].iter().all(Vec::is_empty));
    assert!(!tried.program.is_running());
}

#[test]
fn late_answers_are_thrown_away() {
    if !has_python() {
        return;
    }
    let check = |tried: &Tried, late: &[usize]| {
        let note =
            "stops: its program does not answer within 0.3 s; it is asked again, and this is not told again";
        assert_eq!(tried.notes, [note]);
        assert!(tried.program.is_running());
        for (k, commands) in tried.commands.iter().enumerate() {
            let drive = Command::Drive { speed: k as f64 + 1.0, turn: 0.0 };
            assert_eq!(*commands, [if late.contains(&k) { STOP } else { drive }], "{k}");
        }
    };
    // It answers the third question when it has the fourth or the fifth, which is too late. With the number of the question or
    // without: no answer is taken for that of another question.
    for number in ["'n': n, ", ""] {
        for (late, lines) in [(3..=3, 1), (3..=4, 2)] {
            let answer = format!("say({{{number}'drive': {{'speed': n, 'turn': 0}}}})");
            let body = format!(
                "if n == 3:\n    more = [sys.stdin.readline() for k in range({lines})]\n    {answer}\n    \
                 for n in range(4, 4 + {lines}): {answer}\n    continue\n{answer}"
            );
            let tried = steps_with_late(&each(&body), 0.3, 40, late.clone());
            check(&tried, &[2, 3][..lines]);
        }
    }
    // One that answers only the newest question after a pause.
    let body = "if n == 3: continue\nsay({'n': n, 'drive': {'speed': n, 'turn': 0}})";
    check(&steps_with_late(&each(body), 0.3, 40, 3..=3), &[2]);
}

#[test]
fn floods_are_dammed() {
    if !has_python() {
        return;
    }
    let check = |body: &str, expected: &str| {
        let tried = within(LONG, || steps(&each(body), 0.5, 1000));
        // What it says itself is told up to a limit of its own.
        let told = tried.notes.iter().filter(|note| !note.starts_with("its program says"));
        assert!(told.count() <= 3, "{:?}", tried.notes);
        assert!(tried.notes.last().unwrap().contains(expected), "{:?}", tried.notes);
        assert!(!tried.program.is_running());
    };
    check("while True: sys.stdout.write('x' * 100000)", "more than 65536 bytes");
    check("while True: sys.stdout.write('{}\\n' * 1000)", "without being asked");
    check("while True: sys.stdout.write('\\n' * 1000)", "stops for good");
    check("while True: say({'n': n - 1})", "without being asked");
    check("say('{}')\nwhile True: sys.stderr.write('help ' * 1000)", "does not answer");
    check("say('{}')\n\nfor k in range(10**6): say('{\"log\": \"x\"}')", "without being asked");
}

#[test]
fn nonsense_stops_the_vehicle_and_is_told_once() {
    if !has_python() {
        return;
    }
    let check = |said: &str, expected: &str| {
        let tried = steps(&each(&format!("say({said} if n % 3 else {{}})")), 5.0, 300);
        assert_eq!(tried.notes.len(), 1, "{:?}", tried.notes);
        assert!(tried.notes[0].contains(expected), "{:?}", tried.notes);
        assert!(tried.program.is_running());
        for (k, commands) in tried.commands.iter().enumerate() {
            assert_eq!(*commands, if k % 3 == 2 { Vec::new() } else { vec![STOP] });
        }
    };
    check("'what?'", "no JSON");
    check("{'drve': {'speed': 1, 'turn': 0}}", "did you mean \"drive\"?");
    check("{'drive': {'speed': float('nan'), 'turn': 0}}", "JSON has no NaN");
    check("{'drive': {'speed': 1e300, 'turn': 0}}", "more than 1000000");
    check("{'drive': {'speed': [], 'turn': 0}}", "not a number");
    check("{'n': n + 1}", "answers question 2, but the last one was 1");
    // Only nonsense: given up.
    let tried = steps(&each("say(17)"), 5.0, 300);
    assert_eq!(tried.notes.len(), 2);
    assert!(tried.notes[1].contains("third failure"));
    // A liar about the past is late for ever.
    let tried = steps(&each("say({'n': n - 1})"), 0.1, 300);
    assert!(tried.notes.last().unwrap().contains("third failure"), "{:?}", tried.notes);
}

#[test]
fn words_for_people_are_counted() {
    if !has_python() {
        return;
    }
    let tried = steps(&each("say([{'log': 'x' * 600}] * 100)"), 5.0, 20);
    assert_eq!(tried.notes.len(), 1001);
    assert!(tried.notes.iter().all(|note| note.len() < 600));
    assert!(tried.commands.iter().all(Vec::is_empty));
}

/// True as long as a process is there and no zombie.
#[cfg(target_os = "linux")]
fn is_alive(process: &str) -> bool {
    std::fs::read_to_string(format!("/proc/{}/stat", process.trim()))
        .is_ok_and(|stat| !stat.rsplit(')').next().unwrap_or("").trim_start().starts_with('Z'))
}

#[cfg(target_os = "linux")]
#[test]
fn nobody_is_left_behind() {
    if !has_python() {
        return;
    }
    // A child that starts a child of its own, which ignores all that can be ignored; both tell who they are.
    let ignoring = "import time, signal, os, sys\n\
                    for s in (1, 2, 15): signal.signal(s, signal.SIG_IGN)\n\
                    while True: time.sleep(1)\n";
    let start = format!(
        "import subprocess\nchild = subprocess.Popen([sys.executable, '-c', {ignoring:?}])\n\
         open('who', 'w').write(f'{{os.getpid()}} {{child.pid}}')\nsay({{}})\n"
    );
    for (end, count) in [("time.sleep(1000)", 1), ("time.sleep(1000)", 6), ("os._exit(3)", 6)] {
        let folder = Folder::new(&format!("control_left_{count}_{}", end.len()));
        std::fs::write(folder.path().join("drive.py"), each(&format!("{start}{end}"))).unwrap();
        let mut program = Program::new(&["python3".to_owned(), "drive.py".to_owned()], 0.2, folder.path());
        let scene = scene(None);
        for k in 0..count {
            ask(&mut program, &scene, 0.01 * f64::from(k), 1.0);
        }
        let who = std::fs::read_to_string(folder.path().join("who")).unwrap();
        let (own, child) = who.split_once(' ').unwrap();
        // Who was killed takes a moment to go.
        let is_left = || {
            let start = Instant::now();
            while is_alive(child) && start.elapsed() < Duration::from_secs(2) {
                std::thread::sleep(Duration::from_millis(5));
            }
            is_alive(child)
        };
        assert_eq!(is_left(), count == 1, "{end}");
        drop(program);
        assert!(!is_alive(own) && !is_left(), "{end}");
        // Reaped, too.
        assert!(!Path::new(&format!("/proc/{own}")).exists());
    }
}

#[test]
fn a_farewell_is_short_but_there_is_one() {
    if !has_python() {
        return;
    }
    let folder = Folder::new("control_farewell");
    let text = each("say({})") + "open('done', 'w').write('yes')\n";
    std::fs::write(folder.path().join("drive.py"), text).unwrap();
    let mut program = Program::new(&["python3".to_owned(), "drive.py".to_owned()], 5.0, folder.path());
    ask(&mut program, &scene(None), 0.0, 1.0);
    drop(program);
    assert_eq!(std::fs::read_to_string(folder.path().join("done")).unwrap(), "yes");
}

#[test]
fn saved_programs_start_anew_with_their_count() {
    if !has_python() {
        return;
    }
    let tried = steps(&each("say({'n': n, 'drive': {'speed': n, 'turn': 0}})"), 5.0, 4);
    let folder = Folder::new("control_saved");
    std::fs::write(folder.path().join("drive.py"), each("say({'drive': {'speed': n, 'turn': 0}})")).unwrap();
    let mut program = Program::new(&["python3".to_owned(), "drive.py".to_owned()], 5.0, folder.path());
    assert!(program.resume(&tried.program.save()));
    assert!(!program.is_running());
    let (commands, _) = ask(&mut program, &scene(None), 0.04, 1.0);
    assert_eq!(commands, [Command::Drive { speed: 5.0, turn: 0.0 }]);
    assert!(!program.resume(&[]) && !program.resume(&[0; 8]) && !program.resume(&[7; 9]));
}

#[test]
fn keys_drive() {
    let scene = scene(None);
    let mut keyboard = Keyboard::default();
    let handle = keyboard.handle();
    assert_eq!(ask(&mut keyboard, &scene, 0.0, 1.0).0, [STOP]);
    handle.press(Keys { speed: 0.5, turn: f64::NAN });
    handle.grip(GripperCommand::Raise);
    let (commands, _) = ask(&mut keyboard, &scene, 0.0, 1.0);
    let [Command::Drive { speed, turn: 0.0 }, Command::Gripper(GripperCommand::Raise)] = commands[..] else {
        panic!("{commands:?}")
    };
    assert!(speed > 0.0);
    // As long as nothing changes there is nothing to say.
    assert!(ask(&mut keyboard, &scene, 0.0, 1.0).0.is_empty());
    handle.press(Keys { speed: 7.0, turn: -7.0 });
    let (commands, _) = ask(&mut keyboard, &scene, 0.0, 1.0);
    let [Command::Drive { speed: top, turn }] = commands[..] else { panic!("{commands:?}") };
    assert!((top - 2.0 * speed).abs() < 1e-12 && turn < 0.0);
}

// The messages between the page and the studio server: their types, which are generated from those of the server, and what the page makes of them.
import type {
  At,
  ClosestPair,
  Command,
  CommandError,
  Controller as SentController,
  Finding as SentFinding,
  FindingKind,
  MoveInfo,
  Pose,
  Replies,
  RobotAt as SentRobotAt,
  Stage as SentStage,
  StepVerdict as SentStepVerdict,
  VerdictEvent as SentVerdict,
  WorldCommand,
} from "./generated";

export type {
  ActionInfo,
  ActionKind,
  AllowanceInfo,
  ApproachInfo,
  BodyInfo,
  BodyKind,
  BodyValues,
  BodyWanted,
  Contact,
  ExemptRuleInfo,
  FeatureInfo,
  FitGap,
  GroupInfo,
  InputInfo,
  JointInfo,
  LayerGrid,
  MeshFacts,
  MoveInfo,
  MoveKind,
  NewMove,
  PlannedEvent,
  PlannedInfo,
  Pose,
  ProgressEvent,
  Reading,
  RobotInfo,
  RobotTrack,
  SceneEvent,
  SensorKind,
  ServerEvent,
  Solution,
  Solutions,
  Statistics,
  StepInfo,
  Track,
  UnsavedWork,
  Vec3,
  VehicleNow,
  Verdict,
  Warning,
  WorldBody,
  WorldEvent,
  WorldEventKind,
  WorldFrame,
  WorldInfo,
  WorldSensor,
  WorldVehicle,
} from "./generated";
export type {
  AxisWanted as AxisName,
  DeviceWanted as DeviceName,
  Gripped as GripperWord,
  NewAction as Action,
  Wanted as FrameWanted,
} from "./generated";

/** What went wrong; the page tells of its own trouble in the same way. */
export type ServerError = Pick<CommandError, "message"> & Partial<CommandError>;

/** Who drives a vehicle, or nobody. */
export type Controller = SentController | null;

/** A stage as it is drawn: of a preview, only bodies move. */
export type Stage = Pick<SentStage, "tracks"> & Partial<SentStage>;

/** A finding that always has names: where there is no way, what looks for one stands twice. A goal that is missed is one too. */
export type Finding = Omit<SentFinding, "pair" | "kind"> & {
  pair: [string, string];
  kind: FindingKind | "goal";
};
export type StepVerdict = Omit<SentStepVerdict, "findings"> & { findings: Finding[] };
export type VerdictEvent = Omit<SentVerdict, "start" | "steps"> & {
  start: Finding[];
  steps: (StepVerdict | null)[];
};
export type RobotAt = Omit<SentRobotAt, "findings"> & { findings: Finding[] };

/** Two bodies that are near each other. */
export type Closest = Pick<ClosestPair, "pair" | "distance" | "point_a" | "point_b"> & {
  required?: number;
  t?: number;
};

const withNames = (finding: SentFinding): Finding => ({
  ...finding,
  pair: finding.pair ?? [finding.subject ?? "", finding.subject ?? ""],
});

/** The same findings with names. */
export const named = (findings: readonly SentFinding[]): Finding[] => findings.map(withNames);

/** A verdict as the page keeps it. */
export const namedVerdict = (verdict: SentVerdict): VerdictEvent => ({
  ...verdict,
  start: named(verdict.start),
  steps: verdict.steps.map((step) => step && { ...step, findings: named(step.findings) }),
});

/** What a move does, in words that name its subject. */
export const moveText = (move: MoveInfo): string =>
  move.summary.includes(move.subject) ? move.summary : `${move.subject} ${move.summary}`;

/** How the joints of a robot share the time. */
export type JointMode = "synchronous" | "simultaneous" | "sequential";

/** A moment of the plan; `null` stands for the state before the first step. */
export type Moment = At | null;

/** Bodies that were moved by hand and not recorded yet. */
export type Displaced = [body: number, pose: Pose][];

type AnyCommand = Command | WorldCommand;

/** A command that is answered. */
export type CommandName = AnyCommand["do"] & keyof Replies;
type Without<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;
/** What a command says beside its name. */
export type Request<N extends AnyCommand["do"]> = Without<Extract<AnyCommand, { do: N }>, "do">;
export type Reply<N extends CommandName> = Replies[N];

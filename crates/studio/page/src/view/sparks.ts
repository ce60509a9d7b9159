// Marks on surfaces in sizes of the screen: a ring in the plane of a contact and its normal. They grow and fade by themselves:
// nothing is written for a frame but the time.
import {
  Color,
  DynamicDrawUsage,
  Group,
  InstancedBufferAttribute,
  InstancedBufferGeometry,
  Float32BufferAttribute,
  Mesh,
  type PerspectiveCamera,
  ShaderMaterial,
  Vector2,
  Vector4,
  type WebGLRenderer,
  type Camera,
} from "three";

const COMMON = /* glsl */ `
  attribute vec3 center;
  attribute vec3 direction;
  attribute vec2 mark; // when it was made, how strong
  uniform float now;
  uniform float life;
  uniform float metres; // per pixel at a distance of one
  uniform bool flat_;
  uniform vec2 view; // in pixels
  varying float left_;
  varying vec2 at;
  float size_(vec3 point) {
    return flat_ ? metres : metres * max(1e-6, -(viewMatrix * vec4(point, 1.0)).z);
  }`;

const RING = /* glsl */ `
  void main() {
    float age = life > 0.0 ? (now - mark.x) / life : 0.0;
    left_ = age < 1.0 && age >= 0.0 ? 1.0 - age : 0.0;
    at = position.xy;
    vec3 aside = normalize(abs(direction.z) < 0.9 ? cross(direction, vec3(0.0, 0.0, 1.0)) : cross(direction, vec3(1.0, 0.0, 0.0)));
    vec3 across = cross(direction, aside);
    float grown = life > 0.0 ? 0.45 + 0.55 * sqrt(max(age, 0.0)) : 1.0;
    float reach = left_ > 0.0 ? mark.y * grown * size_(center) : 0.0;
    gl_Position = projectionMatrix * viewMatrix * vec4(center + (aside * position.x + across * position.y) * reach, 1.0);
  }`;

const RING_PIXELS = /* glsl */ `
  uniform vec3 color;
  varying float left_;
  varying vec2 at;
  void main() {
    float r = length(at);
    float soft = fwidth(r) * 1.2;
    float ring = smoothstep(0.74 - soft, 0.74, r) * (1.0 - smoothstep(1.0 - soft, 1.0, r));
    float dot_ = 1.0 - smoothstep(0.26 - soft, 0.26, r);
    float inside = (1.0 - smoothstep(1.0 - soft, 1.0, r)) * 0.22;
    float alpha = max(max(ring, dot_), inside) * left_;
    if (alpha < 0.01) discard;
    gl_FragColor = vec4(color, alpha);
    #include <colorspace_fragment>
  }`;

const LINE = /* glsl */ `
  uniform float pixels;
  void main() {
    float age = life > 0.0 ? (now - mark.x) / life : 0.0;
    left_ = age < 1.0 && age >= 0.0 ? 1.0 - age : 0.0;
    at = position.xy;
    vec3 end = center + direction * pixels * (0.6 + 0.4 * min(1.0, mark.y / 20.0)) * size_(center);
    vec4 a = projectionMatrix * viewMatrix * vec4(center, 1.0);
    vec4 b = projectionMatrix * viewMatrix * vec4(end, 1.0);
    vec2 along = (b.xy / b.w - a.xy / a.w) * view;
    vec2 side = length(along) > 0.01 ? normalize(vec2(-along.y, along.x)) : vec2(0.0);
    vec4 p = mix(a, b, position.x);
    // A shaft and, at its end, a head.
    // Soft touches have a ring only.
    if (life > 0.0 && mark.y < 11.0) left_ = 0.0;
    float wide = position.x < 0.7 ? 1.1 : (position.x < 0.95 ? 4.2 : 0.0);
    p.xy += side * position.y * wide / view * 2.0 * p.w * (left_ > 0.0 ? 1.0 : 0.0);
    gl_Position = p;
  }`;

const LINE_PIXELS = /* glsl */ `
  uniform vec3 color;
  varying float left_;
  void main() {
    if (left_ < 0.01) discard;
    gl_FragColor = vec4(color, left_);
    #include <colorspace_fragment>
  }`;

const viewport = new Vector4();

export class Sparks {
  readonly group = new Group();
  /** How many there are, for tests. */
  count = 0;
  private next = 0;
  private newest = -Infinity;
  private readonly center: InstancedBufferAttribute;
  private readonly direction: InstancedBufferAttribute;
  private readonly mark: InstancedBufferAttribute;
  private readonly geometries: InstancedBufferGeometry[] = [];
  private readonly uniforms: Record<string, { value: unknown }>;

  constructor(
    private readonly capacity: number,
    /** Seconds; 0 for marks that stay until they are replaced. */
    private readonly life: number,
    color: number,
    arrowPixels: number,
  ) {
    this.center = new InstancedBufferAttribute(new Float32Array(3 * capacity), 3).setUsage(DynamicDrawUsage);
    this.direction = new InstancedBufferAttribute(new Float32Array(3 * capacity), 3).setUsage(
      DynamicDrawUsage,
    );
    this.mark = new InstancedBufferAttribute(new Float32Array(2 * capacity).fill(-1000), 2).setUsage(
      DynamicDrawUsage,
    );
    this.uniforms = {
      now: { value: 0 },
      life: { value: life },
      metres: { value: 0 },
      flat_: { value: false },
      view: { value: new Vector2(1, 1) },
      color: { value: new Color(color) },
      pixels: { value: arrowPixels },
    };
    this.group.add(
      this.part([-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0], [0, 1, 2, 0, 2, 3], RING, RING_PIXELS),
    );
    // A shaft from 0 to 0.7 and a head from there to 1.
    this.group.add(
      this.part(
        [0, -1, 0, 0.69, -1, 0, 0.69, 1, 0, 0, 1, 0, 0.71, -1, 0, 1, 0, 0, 0.71, 1, 0],
        [0, 1, 2, 0, 2, 3, 4, 5, 6],
        LINE,
        LINE_PIXELS,
      ),
    );
    this.sync();
  }

  private part(points: number[], index: number[], vertex: string, fragment: string): Mesh {
    const geometry = new InstancedBufferGeometry();
    geometry.setAttribute("position", new Float32BufferAttribute(points, 3));
    geometry.setIndex(index);
    geometry.setAttribute("center", this.center);
    geometry.setAttribute("direction", this.direction);
    geometry.setAttribute("mark", this.mark);
    this.geometries.push(geometry);
    const mesh = new Mesh(
      geometry,
      new ShaderMaterial({
        uniforms: this.uniforms,
        vertexShader: COMMON + vertex,
        fragmentShader: fragment,
        transparent: true,
        depthTest: false,
        depthWrite: false,
        side: 2,
        toneMapped: false,
      }),
    );
    mesh.frustumCulled = false;
    mesh.renderOrder = 9;
    mesh.raycast = () => {};
    mesh.matrixAutoUpdate = false;
    mesh.onBeforeRender = (renderer, _scene, camera) => this.measure(renderer as WebGLRenderer, camera);
    return mesh;
  }

  private measure(renderer: WebGLRenderer, camera: Camera): void {
    renderer.getCurrentViewport(viewport);
    const ratio = renderer.getPixelRatio();
    const height = viewport.w / ratio;
    (this.uniforms["view"]!.value as Vector2).set(viewport.z / ratio, height);
    const perspective = camera as PerspectiveCamera;
    // The scale of the projection: so much of the half height is one metre (at a distance of one).
    this.uniforms["metres"]!.value = 2 / (perspective.projectionMatrix.elements[5]! * height);
    this.uniforms["flat_"]!.value = !perspective.isPerspectiveCamera;
  }

  /** A mark `pixels` large; `now` in seconds. Of too many the oldest go. */
  add(point: ArrayLike<number>, normal: ArrayLike<number>, pixels: number, now: number, at = 0): void {
    const slot = this.next;
    this.next = (this.next + 1) % this.capacity;
    this.count = Math.min(this.capacity, this.count + 1);
    this.center.setXYZ(slot, point[at]!, point[at + 1]!, point[at + 2]!);
    const n = at + (normal === point ? 3 : 0);
    this.direction.setXYZ(slot, normal[n]!, normal[n + 1]!, normal[n + 2]!);
    this.mark.setXY(slot, now, pixels);
    this.newest = Math.max(this.newest, now);
    this.sync();
  }

  clear(): void {
    if (this.count === 0) return;
    this.count = this.next = 0;
    this.newest = -Infinity;
    this.sync();
  }

  private sync(): void {
    for (const geometry of this.geometries) geometry.instanceCount = this.count;
    this.group.visible = this.count > 0;
    this.center.needsUpdate = this.direction.needsUpdate = this.mark.needsUpdate = true;
  }

  /** True while one of them fades. */
  update(now: number): boolean {
    if (this.life === 0 || this.count === 0) return false;
    this.uniforms["now"]!.value = now;
    if (now - this.newest <= this.life) return true;
    this.clear();
    return false;
  }
}

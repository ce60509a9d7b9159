// The ground grid: one large square with a shader that draws lines of even width and fades with distance.
import { Color, DoubleSide, Mesh, PlaneGeometry, ShaderMaterial, Vector2 } from "three";

const VERTEX = `
varying vec2 ground;
void main() {
  vec4 world = modelMatrix * vec4(position, 1.0);
  ground = world.xy;
  gl_Position = projectionMatrix * viewMatrix * world;
}`;

const FRAGMENT = `
uniform float cell;
uniform float radius;
uniform vec2 middle;
uniform vec3 color;
uniform float strength;
varying vec2 ground;
float lines(float size, float width) {
  vec2 at = ground / size;
  vec2 d = abs(fract(at - 0.5) - 0.5) / max(fwidth(at), vec2(1e-9));
  return 1.0 - min(min(d.x, d.y) / width, 1.0);
}
void main() {
  float fade = 1.0 - smoothstep(0.35, 1.0, length(ground - middle) / radius);
  float fine = lines(cell, 1.0) * 0.32;
  float coarse = lines(cell * 10.0, 1.3) * 0.75;
  float a = max(fine, coarse) * fade * strength;
  if (a < 0.004) discard;
  gl_FragColor = vec4(color, a);
}`;

export class Grid extends Mesh<PlaneGeometry, ShaderMaterial> {
  constructor() {
    const material = new ShaderMaterial({
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      transparent: true,
      depthWrite: false,
      side: DoubleSide,
      uniforms: {
        cell: { value: 1 },
        radius: { value: 10 },
        middle: { value: new Vector2() },
        color: { value: new Color() },
        strength: { value: 0.5 },
      },
    });
    super(new PlaneGeometry(2, 2), material);
    this.renderOrder = -1;
    this.frustumCulled = false;
  }

  /** Lays the grid under a scene of this middle, floor and size (metres). */
  lay(x: number, y: number, floor: number, radius: number): void {
    this.position.set(x, y, floor);
    this.scale.setScalar(radius);
    this.material.uniforms["middle"]!.value.set(x, y);
    this.material.uniforms["radius"]!.value = radius;
  }

  paint(color: number, dark: boolean): void {
    this.material.uniforms["color"]!.value.set(color);
    this.material.uniforms["strength"]!.value = dark ? 0.4 : 0.3;
  }

  set cell(size: number) {
    this.material.uniforms["cell"]!.value = size;
  }
}

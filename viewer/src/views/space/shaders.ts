/** What runs on the graphics card. Places come in local coordinates; `uClip` takes them to the screen. */

const HEAD = "#version 300 es\nprecision highp float;\n";

/** The colour as it comes. */
const PLAIN = `${HEAD}
in vec3 vColour;
out vec4 pixel;
void main() {
  pixel = vec4(vColour, 1.0);
}`;

/** Points: round, of one size on screen whatever their distance. */
export const POINTS = {
  vertex: `${HEAD}
in vec3 position;
in vec4 colour;
uniform mat4 uClip;
uniform float uSize;
out vec3 vColour;
void main() {
  gl_Position = uClip * vec4(position, 1.0);
  gl_PointSize = uSize;
  vColour = colour.rgb;
}`,
  fragment: `${HEAD}
in vec3 vColour;
uniform vec3 uGround;
uniform float uSize;
out vec4 pixel;
void main() {
  vec2 place = gl_PointCoord * 2.0 - 1.0;
  float away = dot(place, place);
  if (away > 1.0) discard;
  // A rim keeps neighbours apart; tiny ones have no room for it.
  pixel = vec4(mix(vColour, uGround, uSize < 5.0 ? 0.0 : 0.55 * smoothstep(0.55, 1.0, away)), 1.0);
}`,
};

/** Points of a pixel or two: squares, which are drawn whole and so sooner. */
export const TINY = {
  vertex: POINTS.vertex,
  fragment: PLAIN,
};

/** Lines: a quad for each piece, as wide on screen as is said. Drivers draw lines of one pixel only. */
export const LINES = {
  vertex: `${HEAD}
in vec2 corner;
in vec3 from;
in vec3 to;
in vec4 colour;
uniform mat4 uClip;
uniform vec2 uHalf;
uniform float uWidth;
uniform float uNear;
out vec3 vColour;
void main() {
  vColour = colour.rgb;
  vec4 a = uClip * vec4(from, 1.0);
  vec4 b = uClip * vec4(to, 1.0);
  if (a.w < uNear && b.w < uNear) {
    gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
    return;
  }
  if (a.w < uNear) a = mix(a, b, (uNear - a.w) / (b.w - a.w));
  if (b.w < uNear) b = mix(b, a, (uNear - b.w) / (a.w - b.w));
  vec2 way = (b.xy / b.w - a.xy / a.w) * uHalf;
  float size = length(way);
  vec2 along = size > 0.0 ? way / size : vec2(1.0, 0.0);
  vec4 end = corner.x < 0.5 ? a : b;
  vec2 shift = (vec2(-along.y, along.x) * corner.y + along * (corner.x * 2.0 - 1.0) * 0.5) * uWidth * 0.5 / uHalf;
  gl_Position = end + vec4(shift * end.w, 0.0, 0.0);
}`,
  fragment: PLAIN,
};

/** Faces: lit from the eye, both sides alike; by the normal of the face, or by those of its points. */
export const FACES = {
  vertex: `${HEAD}
in vec3 position;
in vec3 normal;
in vec4 colour;
uniform mat4 uClip;
out vec3 vPlace;
out vec3 vNormal;
out vec3 vColour;
void main() {
  gl_Position = uClip * vec4(position, 1.0);
  vPlace = position;
  vNormal = normal;
  vColour = colour.rgb;
}`,
  fragment: `${HEAD}
in vec3 vPlace;
in vec3 vNormal;
in vec3 vColour;
uniform vec3 uEye;
uniform float uFlat;
out vec4 pixel;
void main() {
  vec3 face = cross(dFdx(vPlace), dFdy(vPlace));
  vec3 normal = uFlat > 0.5 || dot(vNormal, vNormal) < 1e-6 ? face : vNormal;
  float size = length(normal);
  float light = size > 0.0 ? abs(dot(normal / size, normalize(uEye - vPlace))) : 1.0;
  pixel = vec4(vColour * (0.3 + 0.7 * light), 1.0);
}`,
};

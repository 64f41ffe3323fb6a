//--- fragment
#extension GL_EXT_draw_buffers : enable
precision mediump float;
uniform mat4 m; uniform float t; varying vec3 normal; varying vec2 uv;
void swap(inout vec4 a, inout vec4 b) { vec4 c = a; a = b; b = c; }
void main() {
    vec4 a = m[0] * t, b = m * vec4(normal, 1.0);
    while (a.x < b.x) { swap(a, b); a.x += 1.0; if (a.x > 10.0) { b = -a; continue; } b.x -= 0.5; }
    gl_FragData[0] = a == b ? refract(a, b, 0.5) : faceforward(a, b, vec4(uv, uv).xzyw);
}

//--- vertex
#version 100
#define COUNT 4
#define LERP(a, b, t) ((a) * (1.0 - (t)) + (b) * (t))
#if COUNT > 3 && defined(GL_ES)
attribute vec4 position; attribute vec3 direction; attribute mat2 extra;
#else
#error no
#endif
uniform mat4 mvp; uniform mat4 bones[COUNT]; uniform ivec2 which; uniform bool flip;
varying vec3 normal; varying vec2 uv; invariant gl_Position;
vec4 skin(vec4 p) { vec4 r = vec4(0.0); for (int i = 0; i < COUNT; i++) r += bones[i] * p; return r / float(COUNT); }
void main() {
    vec4 p = skin(position);
    float w[3]; w[0] = p.x; w[1] = p.y; w[2] = p.z;
    p[which.x] = w[which.y]; p.w = flip ? 1.0 : LERP(p.x, p.y, 0.5);
    normal = reflect(direction, p.xyz); uv = extra * p.xy + vec2(pow(2.0, p.x), mod(p.y, 3.0));
    gl_Position = mvp * p; gl_PointSize = clamp(length(p), 1.0, 8.0);
}

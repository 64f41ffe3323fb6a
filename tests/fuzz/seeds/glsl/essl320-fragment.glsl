//--- fragment
#version 320 es
precision highp float; precision highp int; layout(early_fragment_tests) in;
in vec3 normal; in vec2 uv; flat in ivec3 id; layout(location = 0) out vec4 color; precise vec4 exact;
layout(binding = 0) buffer Out { uint count; vec4 w[]; }; layout(binding = 1, r32ui) uniform highp uimage2D marks;
uniform sampler2D maps[3]; uniform Lights { vec4 at[2]; } lights[2]; uniform int n; float table[2][3];
void main() {
    table = float[2][3](float[3](1.0, 2.0, uv.x), float[3](uv.y, 5.0, 6.0)); uint carry; uint s = uaddCarry(uint(id.x), 7u, carry);
    exact = fma(texture(maps[n], uv), vec4(table[id.y & 1][n]), lights[n].at[1]); ivec3 e; vec3 f = frexp(normal, e) + ldexp(normal, e);
    w[s & 3u] = exact; atomicAdd(count, carry); imageAtomicMax(marks, id.xy, s); color = exact + f.xyzx * float(imageSize(marks).x);
}

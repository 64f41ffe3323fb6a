//--- fragment
#version 300 es
precision highp float; precision highp int;
struct Wave { vec2 at; float height[3]; int kind; };
layout(location = 0) out vec4 color; layout(location = 1) out ivec4 ids[2];
flat in ivec3 id; in vec3 normal; in vec2 uv; uniform highp usampler2D tex; uniform int mode; uniform uvec4 bits;
const int kSize = 3; const float kTable[4] = float[](1.0, cosh(0.0), 4.0, float(kSize));
uvec2 pick(const uint n, out uint rest) { rest = n % 7u; return uvec2(n >> 3u, n << 2u) ^ bits.xy; }
void main() {
    uint rest; uvec2 p = pick(texture(tex, uv).x, rest); Wave w[2];
    for (int i = 0; i < w.length(); ++i) { w[i].at = uv * float(i); w[i].height = float[3](1.0, uv.x, 2.0); w[i].kind = i; }
    switch (mode) { case 0: color = vec4(kTable[id.x & 3]); break; case 1: p >>= 1u; default: color = vec4(p, rest, ~id.x); }
    if (w[0] != w[1]) color.xy += vec2(textureSize(tex, 0)) + trunc(uv) - modf(w[1].height[id.y & 1], color.z);
    do { color.w -= 0.5; if (isnan(color.w)) discard; } while (color.w > uintBitsToFloat(bits.z & 0x3fffffffu));
    ids[0] = ivec4(id, id.x / id.y); ids[1] = ivec4(bits) ^ ids[0] ^ floatBitsToInt(color); gl_FragDepth = fract(color.x);
}

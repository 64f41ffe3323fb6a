//--- fragment
#version 300 es
precision mediump float; precision mediump int;
uniform highp sampler2DArrayShadow shadow; uniform mediump samplerCubeShadow cube; uniform sampler2D maps[3]; uniform int n;
in vec3 normal; in vec2 uv; flat in ivec3 id; out vec4 color;
vec4[2] both(vec4 a, vec4 b) { return vec4[2](a, b); }
bool near(vec4 a, vec4 b) { for (int i = 0; i < 4; i++) if (abs(a[i] - b[i]) > 0.1) return false; return true; }
void main() {
    vec4 a[2] = both(textureProj(maps[0], vec3(uv, 2.0)), textureGrad(maps[1], uv, dFdx(uv), dFdy(uv)));
    float lit = texture(shadow, vec4(uv, 1.0, 0.5)) + texture(cube, vec4(normal, uv.x)) + textureGradOffset(maps[2], uv, uv, uv, ivec2(3, -1)).w;
    for (uint i = 0u, k = 9u; i < k; i += 2u, --k) { a[i & 1u] = a[1].yzwx * lit; if (near(a[0], a[1])) break; }
    a[n & 1] += mat4x3(2.0) [n & 3].xyzz; color = a == both(a[0], a[1]) ? a[0] : fwidth(a[1]);
    color.rgb = mix(color.rgb, sinh(normal), lessThan(normal, asinh(uv.xyx))); color.a = float(id.x << id.y) * lit;
}

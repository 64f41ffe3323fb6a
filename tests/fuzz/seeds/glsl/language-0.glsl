//--- fragment
#extension GL_OES_standard_derivatives : enable
precision mediump float;
struct Light { vec3 position; vec4 color[2]; };
uniform Light lights[2]; uniform sampler2D tex; uniform samplerCube cube; varying vec3 normal; varying vec2 uv;
const vec2 kOffset = vec2(0.5, 0.25);
float shade(in vec3 n, const Light l, inout vec4 sum) {
    float d = max(dot(normalize(n), normalize(l.position)), 0.0);
    if (d < 0.1) return 0.0;
    for (int i = 0; i < 2; ++i) { if (i == 1 && d > 0.9) continue; sum += l.color[i] * d; }
    return d;
}
void main() {
    vec4 sum = vec4(0.0); float n = 0.0;
    int i = 0;
    while (i < 2) { n += shade(normal, lights[i], sum); i++; }
    do { n -= 0.25; } while (n > 1.0);
    if (sum.a < 0.01 || n < -1.0) discard;
    mat3 m = mat3(1.0); m[1].xy *= mat2(uv, kOffset);
    gl_FragColor = (n > 0.5 ? texture2D(tex, uv + dFdx(uv)) : textureCube(cube, m * normal)) + sum.zyxw;
}

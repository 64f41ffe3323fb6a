//--- compute
#version 310 es
layout(local_size_x = 4, local_size_y = 2) in; shared uint found[8]; shared vec4 sum; struct S { mat3 m; uint n[2]; };
layout(std430, binding = 0) buffer Cells { uint n; vec4 at[4]; S s; uint rest[]; } cells[2];
layout(std140, binding = 2) readonly buffer Short { mat2x3 a[2]; float b[]; };
layout(binding = 1, offset = 4) uniform atomic_uint counter; layout(binding = 0) uniform atomic_uint more[2];
layout(r32ui, binding = 0) uniform highp coherent uimage2D field; layout(rgba8, binding = 1) uniform highp readonly image2D source;
uniform sampler2D tex; uniform uint k[3]; uniform B { ivec4 i[3]; float f; };
uint step_(uint a, inout vec4 v) { v += vec4(a); return bitfieldExtract(a, 2, 7) + uint(findMSB(a)) + bitfieldReverse(a); }
void main() {
    uint l = gl_LocalInvocationIndex; vec4 v = vec4(0.0); found[l] = atomicAdd(cells[0].n, l) + k[l % 3u]; barrier();
    if (l == 0u) sum = cells[1].at[i[l % 3u].x & 3] * f + imageLoad(source, ivec2(gl_GlobalInvocationID.xy));
    memoryBarrierShared(); barrier(); cells[1].rest[found[7u - l]] = atomicCounterIncrement(counter) + step_(l, v);
    cells[0].s.m[l & 1u] = textureLod(tex, sum.xy, b[l]).xyz * a[1][l & 1u]; imageStore(field, ivec2(l, 1), uvec4(found[l]));
    for (uint n = 0u; n < l; ++n) { if (cells[0].s.n[n & 1u] > 9u) break; cells[0].s.n[1] = atomicMax(cells[1].n, n); barrier(); }
    if (uint(cells[0].rest.length()) > l) cells[0].rest[l] = atomicCounterDecrement(more[l & 1u]) + packUnorm4x8(v);
}

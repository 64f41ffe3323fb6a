//--- vertex
#version 300 es
layout(location = 0) in vec4 position; layout(location = 3) in mat3x2 extra; in ivec4 joints; in uvec2 flags;
uniform mat4 bones[4]; uniform mat2x4 rows; uniform highp sampler3D volume; uniform highp isampler2DArray layers;
layout(std140) uniform Scene { mat4 view; vec3 eye; float weights[4]; } scene;
flat out ivec3 id; out vec3 normal; centroid out vec2 uv; invariant gl_Position;
mat3 turn(float a) { return transpose(mat3(cos(a), sin(a), 0, -sin(a), cos(a), 0, 0, 0, 1)); }
void main() {
    vec4 p = bones[joints.x & 3] * position * scene.weights[gl_VertexID & 3]; int n = gl_InstanceID;
    while (n-- > 0) { p.xyz = turn(float(n)) * p.xyz; if (n > 5) continue; p += texelFetch(layers, ivec3(n, 1, 0), 0).x > 2 ? p.wzyx : p; }
    mat4x2 q = mat4x2(extra * mat2x3(p.xyz, scene.eye)) + outerProduct(p.xy, rows * p.zw);
    normal = vec3(determinant(mat2(q)), inverse(mat2(q))[1]) + textureLodOffset(volume, p.xyz, 0.5, ivec3(1, -2, 0)).rgb;
    uv = unpackHalf2x16(flags.x) + unpackSnorm2x16(packUnorm2x16(p.xy)) * roundEven(p.z);
    id = joints.xyz % max(ivec3(flags.y >> 1, 2, 3), 1); gl_Position = scene.view * p; gl_PointSize = 2.0;
}

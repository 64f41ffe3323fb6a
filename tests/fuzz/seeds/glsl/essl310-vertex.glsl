//--- vertex
#version 310 es
layout(location = 0) in vec4 position; in ivec2 joints; out vec3 normal; out vec2 uv; flat out ivec3 id;
layout(std430, binding = 3) readonly buffer Bones { mat4 bones[]; }; layout(location = 4) uniform vec4 grid[2][2]; uniform struct { float a; vec2 b[2]; } s[2];
void main() {
    int i = joints.x & (bones.length() - 1); vec4 p = bones[i] * position + grid[joints.y & 1][i & 1]; normal = unpackSnorm4x8(uint(joints.x)).xyz;
    uv = s[i & 1].b[joints.y & 1] * s[0].a; id = ivec3(bitCount(joints.x), findLSB(joints.y), 1); gl_Position = p; gl_PointSize = 2.0;
}

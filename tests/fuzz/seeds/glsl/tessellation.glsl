//--- vertex
#version 320 es
in vec4 position; out vec3 v_normal; out float v_size;
void main() { gl_Position = position; v_normal = position.zxy; v_size = float(gl_VertexID) * 0.5; }
//--- control
#version 320 es
precision highp float; layout(vertices = 3) out; in vec3 v_normal[]; in float v_size[]; out vec3 c_normal[]; out vec2 c_uv[];
patch out vec4 levels; patch out Shape { vec3 middle; int kind[2]; } shape; uniform float fine; uniform vec4 table[4];
void main() {
    int me = gl_InvocationID, next = (me + 1) % gl_PatchVerticesIn; c_normal[gl_InvocationID] = normalize(v_normal[me]) * v_size[next]; c_uv[gl_InvocationID] = gl_in[me].gl_Position.xy;
    gl_out[gl_InvocationID].gl_Position = gl_in[me].gl_Position + table[me & 3] * 0.01; barrier();
    float size = distance(c_uv[me], c_uv[next]);
    gl_TessLevelOuter[me] = clamp(size * fine, 0.5, 9.0);
    if (me == 0) { gl_TessLevelInner[0] = 3.0 + fract(fine); levels = vec4(size, fine, 1.0, 2.0); shape.middle = c_normal[1] + c_normal[2]; shape.kind[1] = gl_PrimitiveID; }
}
//--- evaluation
#version 320 es
precision highp float; layout(triangles, fractional_even_spacing, cw) in; in vec3 c_normal[]; in vec2 c_uv[]; patch in vec4 levels;
patch in Shape { vec3 middle; int kind[2]; } shape; out vec3 normal; out vec2 uv; flat out ivec3 id; uniform mat4 view; uniform sampler2D tex;
vec4 at(int i) { return gl_in[i].gl_Position; }
void main() {
    vec3 t = gl_TessCoord; vec4 p = at(0) * t.x + at(1) * t.y + at(2) * t.z; normal = mix(c_normal[0], c_normal[gl_PatchVerticesIn - 1], t.x) + shape.middle;
    uv = c_uv[0] * t.x + c_uv[1] * t.y; if (levels.x > 2.0) p.xyz += normal * textureLod(tex, uv, levels.w).x;
    id = ivec3(gl_PrimitiveID, shape.kind[1], int(gl_TessLevelOuter[0] + gl_TessLevelInner[0])); gl_Position = view * p + p;
}
//--- fragment
#version 320 es
precision highp float; in vec3 normal; in vec2 uv; flat in ivec3 id; out vec4 color;
void main() { color = vec4(normal, uv.x + uv.y + float(id.x + id.z)); }

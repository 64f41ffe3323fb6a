//--- vertex
#version 320 es
in vec4 position; void main() { gl_Position = position; }
//--- control
#version 320 es
layout(vertices = 4) out; out ivec4 c_kind[]; patch out float heights[3]; uniform uint bits;
void main() {
    gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID % gl_in.length()].gl_Position; c_kind[gl_InvocationID] = ivec4(gl_InvocationID, gl_PatchVerticesIn, 2, 3);
    for (int i = 0; i < 4; ++i) gl_TessLevelOuter[i] = float(1u + ((bits >> uint(i * 2)) & 3u));
    gl_TessLevelInner[0] = 2.0; gl_TessLevelInner[1] = gl_TessLevelOuter[2]; heights[gl_InvocationID % 3] = 0.25;
}
//--- evaluation
#version 320 es
layout(quads, equal_spacing, point_mode) in; in ivec4 c_kind[]; patch in float heights[3]; out Point { vec3 place; flat ivec2 kind; } e_point;
void main() {
    vec2 a = mix(gl_in[0].gl_Position.xy, gl_in[1].gl_Position.xy, gl_TessCoord.x), b = mix(gl_in[3].gl_Position.xy, gl_in[2].gl_Position.xy, gl_TessCoord.x);
    e_point.place = vec3(mix(a, b, gl_TessCoord.y), heights[c_kind[1].x]); e_point.kind = c_kind[int(gl_TessCoord.x * 3.0)].xy; gl_Position = vec4(e_point.place, 1);
}
//--- geometry
#version 320 es
layout(points) in; layout(triangle_strip, max_vertices = 4) out; in Point { vec3 place; flat ivec2 kind; } e_point[]; out vec3 normal; out vec2 uv; flat out ivec3 id;
void main() {
    for (int i = 0; i < 4; ++i) {
        uv = vec2(i & 1, i >> 1) * 2.0 - 1.0; normal = e_point[0].place; id = ivec3(e_point[0].kind, i);
        gl_Position = gl_in[0].gl_Position + vec4(uv * 0.1, 0, 0); EmitVertex();
    }
}
//--- fragment
#version 320 es
precision highp float; in vec3 normal; in vec2 uv; flat in ivec3 id; layout(blend_support_all_equations) out; layout(location = 0) out vec4 color;
void main() { color = vec4(normal.xy, uv) * float(id.x + gl_SampleID) + vec4(gl_SamplePosition, interpolateAtOffset(uv, vec2(0.25))); }

//--- vertex
#version 320 es
#extension GL_EXT_clip_cull_distance : require
in vec4 position; out vec4 v_color; uniform vec4 planes[3]; out highp float gl_ClipDistance[3]; out highp float gl_CullDistance[2];
void main() {
    gl_Position = position; v_color = position.wzyx;
    for (int i = 0; i < gl_ClipDistance.length(); ++i) gl_ClipDistance[i] = dot(position, planes[i]);
    gl_CullDistance[0] = position.x + float(gl_MaxCullDistances); gl_CullDistance[1] = gl_ClipDistance[2] * planes[1].y;
}
//--- geometry
#version 320 es
#extension GL_EXT_clip_cull_distance : enable
layout(triangles) in; layout(triangle_strip, max_vertices = 4) out; in vec4 v_color[]; out vec4 color;
in gl_PerVertex { highp vec4 gl_Position; highp float gl_ClipDistance[3]; highp float gl_CullDistance[2]; } gl_in[];
out gl_PerVertex { highp vec4 gl_Position; highp float gl_ClipDistance[4]; highp float gl_CullDistance[1]; };
void main() {
    for (int i = 0; i < 4; ++i) {
        gl_Position = gl_in[i % 3].gl_Position; color = v_color[i % 3];
        gl_ClipDistance[i] = gl_in[i % 3].gl_ClipDistance[i % 2] + 0.1; gl_ClipDistance[3] = gl_in[2].gl_CullDistance[1];
        gl_CullDistance[0] = gl_in[0].gl_CullDistance[0]; EmitVertex();
    }
}
//--- fragment
#version 320 es
#extension GL_EXT_clip_cull_distance : enable
precision highp float; in vec4 color; out vec4 o; in highp float gl_ClipDistance[4];
void main() { o = color * gl_ClipDistance[1] + vec4(gl_ClipDistance[3], gl_CullDistance[0], gl_MaxClipDistances, 1); }

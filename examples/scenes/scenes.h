// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// One function per scene; see ../common/scene.h.
#pragma once

namespace example {

void draw_triangle(int width, int height);
void draw_textured_cube(int width, int height);
void draw_batches(int width, int height);
void draw_mipmaps(int width, int height);
void draw_cube_map(int width, int height);
void draw_blend(int width, int height);
void draw_stencil(int width, int height);
void draw_scissor(int width, int height);
void draw_points_lines(int width, int height);
void draw_render_to_texture(int width, int height);
void draw_julia(int width, int height);
void draw_torus(int width, int height);
void draw_texture_formats(int width, int height);
void draw_million(int width, int height);
// OpenGL ES 1.1
void draw_gears(int width, int height);
// OpenGL ES 3.0
void draw_instances(int width, int height);
void draw_particles(int width, int height);
void draw_deferred(int width, int height);
void draw_volume(int width, int height);
// OpenGL ES 3.1
void draw_blur(int width, int height);
// OpenGL ES 3.2
void draw_terrain(int width, int height);
void draw_fur(int width, int height);
void draw_layers(int width, int height);

}  // namespace example

// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The table of scenes.
#include "examples/scenes/scenes.h"

#include "examples/common/scene.h"

namespace example {

const std::vector<Scene>& scenes() {
    static const std::vector<Scene> list{
        {"triangle", "one triangle with a colour at each corner", draw_triangle},
        {"cube", "textured cubes that go through each other, by the depth test", draw_textured_cube},
        {"batches", "400 cubes of their own place, turn and colour in one draw", draw_batches},
        {"mipmaps", "a far floor through each minification filter", draw_mipmaps},
        {"cube_map", "a mirror ball in a room of a cube map", draw_cube_map},
        {"blend", "every pair of blend factors with every equation", draw_blend},
        {"stencil", "a picture seen through a stencil, and a cube's outline", draw_stencil},
        {"scissor", "rectangles cut out by the scissor", draw_scissor},
        {"points_lines", "points of all sizes, sprites, lines of all widths and kinds", draw_points_lines},
        {"render_to_texture", "a scene in a texture, on a tilted screen, then through an edge filter",
         draw_render_to_texture},
        {"julia", "a Julia set by a loop in the fragment shader, its inside discarded", draw_julia},
        {"torus", "a ring lit per pixel, its back faces culled", draw_torus},
        {"texture_formats", "texel formats and wrap modes", draw_texture_formats},
        {"million", "a landscape of a million triangles in one draw", draw_million},
        {"gears", "three gears of the fixed-function pipeline: lights, fog, point sprites", draw_gears, 11},
        {"instances", "1,200 boxes in one draw, from uniform blocks, with four samples a pixel",
         draw_instances, 30},
        {"particles", "sparks that transform feedback moved", draw_particles, 30},
        {"deferred", "60 lamps on surfaces that were drawn once, into several targets", draw_deferred, 30},
        {"volume", "a cloud in a 3D texture, followed ray by ray", draw_volume, 30},
        {"blur", "frosted glass: a compute shader blurs through shared memory", draw_blur, 31},
        {"terrain", "mountains that the device divides finer where they are near", draw_terrain, 32},
        {"fur", "a geometry shader grows a hair on each point", draw_fur, 32},
        {"layers", "the blend equations of painting programs", draw_layers, 32},
    };
    return list;
}

}  // namespace example

// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What the cases of gl_bench share: a context, programs, a clock, full-screen quads.
#pragma once

#include <functional>
#include <span>
#include <string>

#include "tests/bench/gl_api.h"

namespace bench {

inline constexpr int kSize_px = 1024;  // of the surface

struct Case {
    const char* name;
    void (*run)();
    int version = 20;  // the OpenGL ES version that it needs
};
[[nodiscard]] std::span<const Case> es2_cases();
[[nodiscard]] std::span<const Case> es3_cases();
[[nodiscard]] std::span<const Case> es31_cases();

[[noreturn]] void fail(const std::string& why);
[[nodiscard]] double cpu_s();
/// Attributes 0 and 1 are `position` and `data`. The program is in use afterwards.
GLuint program(const std::string& vertex, const std::string& fragment, const char* captured = nullptr);
void print(const char* name, double value, const char* unit);
/// Calls `frame` (which ends with glFinish) until the time is over. Converts units a frame to millions a
/// second. Returns the best of five measurements: other work of the machine can only slow them down.
void rate(const char* name, double units, const char* unit, const std::function<void()>& frame);
/// CPU time from a program's texts to its pixels, the median of eight. In the texts SEED is replaced each
/// time by another number below 1, which is also the pixels' alpha.
void first_draw(const char* name, const std::string& vertex, const std::string& fragment);
/// A quad over the whole surface; data.xy covers `texels` of 1024.
void bind_quad(float texels);
/// Fails unless the pixel in the middle of the bound framebuffer has these 8-bit values, within `tolerance`.
void expect_middle(int r, int g, int b, int tolerance = 1);

extern unsigned g_seed;  // changes what must differ from run to run

}  // namespace bench

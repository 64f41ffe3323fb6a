// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What gl_bench's cases share: a context, programs, the clock, full quads.
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
    int version = 20;  // of OpenGL ES that it needs
};
[[nodiscard]] std::span<const Case> es2_cases();
[[nodiscard]] std::span<const Case> es3_cases();
[[nodiscard]] std::span<const Case> es31_cases();

[[noreturn]] void fail(const std::string& why);
[[nodiscard]] double cpu_s();
/// Attributes 0 and 1 are `position` and `data`. The program is in use then.
GLuint program(const std::string& vertex, const std::string& fragment, const char* captured = nullptr);
void print(const char* name, double value, const char* unit);
/// Calls `frame` (which ends with glFinish) until the time is over; units a frame -> millions a second. The
/// best of five stretches: whatever else the machine does can only slow them down.
void rate(const char* name, double units, const char* unit, const std::function<void()>& frame);
/// CPU time from the texts of a program, in which SEED becomes another number below 1 each time, to its pixels, whose
/// alpha it is. The median of eight.
void first_draw(const char* name, const std::string& vertex, const std::string& fragment);
/// A quad over the surface; data.xy runs over `texels` of 1024.
void bind_quad(float texels);
/// Fails unless the pixel in the middle of the bound framebuffer has these 8-bit values, but for `tolerance`.
void expect_middle(int r, int g, int b, int tolerance = 1);

extern unsigned g_seed;  // of what must differ from run to run

}  // namespace bench

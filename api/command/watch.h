// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// `terrazzo run` becomes the program, so nobody is left to notice that the program loaded another OpenGL: by
// dlopen of a full path, by GLX, by a DT_RPATH. A process of its own looks at what the program has mapped,
// and says so once. It lives as long as the program at most, and has none of its files but stderr.
#pragma once

#include <string>
#include <string_view>

namespace terrazzo::command {

/// Starts the watcher of this process. Where the system has no pidfds (Linux before 5.3) there is none.
/// `folder`: of our libraries. `glvnd`: the system's libEGL.so.1 is as it should be.
void watch_for_other_gl(const std::string& program, const std::string& folder, bool glvnd);

/// The first file of another GL among the lines of /proc/PID/maps; empty: none.
[[nodiscard]] std::string_view other_gl(std::string_view maps, std::string_view folder, bool glvnd);

}  // namespace terrazzo::command

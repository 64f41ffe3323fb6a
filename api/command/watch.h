// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// `terrazzo run` replaces itself by the program, so another process must notice if the program loads another
// OpenGL: by dlopen of a full path, by GLX, by a DT_RPATH. The watcher inspects the program's mapped files,
// and reports this once. It ends with the program or earlier, and has none of its files open except stderr.
#pragma once

#include <string>
#include <string_view>

namespace terrazzo::command {

/// Starts the watcher of this process. Without pidfds (Linux before 5.3) there is none. `folder`: of our
/// libraries. `glvnd`: the system's libEGL.so.1 is expected.
void watch_for_other_gl(const std::string& program, const std::string& folder, bool glvnd);

/// The first file of another GL in the lines of /proc/PID/maps; empty: none.
[[nodiscard]] std::string_view other_gl(std::string_view maps, std::string_view folder, bool glvnd);

}  // namespace terrazzo::command

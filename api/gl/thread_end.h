// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Functions to call when a thread ends. A C++ object with a destructor would need an allocation at the
// thread's first use, and without memory the C library would end the process. Here that is an error that can
// be reported.
#pragma once

namespace terrazzo::gl_entry {

/// Registers `end`, which must not throw, to be called once when this thread ends. A second call has no
/// effect. Functions are called in the reverse order of registration. On the thread that loaded the library
/// they are also called at exit(). Throws std::bad_alloc if there is no memory to remember it; nothing has
/// changed then.
void call_at_thread_end(void (*end)());

}  // namespace terrazzo::gl_entry

// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What is to happen when a thread ends. C++ would have an object with a destructor for that, which costs an allocation where the
// thread first uses it, and where there is no memory the C library ends the process. Here it is an error that can be reported.
#pragma once

namespace terrazzo::gl_entry {

/// Has `end` (a function of ours, which throws nothing) called once when this thread ends. Called again it changes nothing. Functions are
/// called in the reverse order of these calls. In the thread that loaded the library this is also done when the process ends by exit().
/// Throws std::bad_alloc where there is no room to remember it: nothing has changed then.
void call_at_thread_end(void (*end)());

}  // namespace terrazzo::gl_entry

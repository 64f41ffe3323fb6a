// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// KHR_debug's state of a context: who listens, what is filtered, the log and the group stack. Messages are
// always delivered on the thread and inside the command they belong to, so that GL_DEBUG_OUTPUT_SYNCHRONOUS
// changes nothing.
#pragma once

#include <array>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "state_tracker/context.h"

namespace terrazzo::st {

inline constexpr GLint kMaxDebugMessageLength = 4096;  // with the terminating zero
inline constexpr GLint kMaxDebugLoggedMessages = 256;
inline constexpr GLint kMaxDebugGroupStackDepth = 64;
inline constexpr GLint kMaxLabelLength = 256;

/// Which messages pass: by source, type and severity, and by id where the application named ids.
class DebugFilter {
  public:
    static constexpr unsigned kSources = 6, kTypes = 9, kSeverities = 4;
    /// Index of an enum, -1 for none.
    static int source_index(GLenum e);
    static int type_index(GLenum e);
    static int severity_index(GLenum e);

    /// -1: every source, type or severity.
    void set(int source, int type, int severity, bool enabled);
    void set_id(int source, int type, GLuint id, bool enabled);
    [[nodiscard]] bool passes(int source, int type, int severity, GLuint id) const;

  private:
    using Bits = uint8_t;  // bit per severity
    std::array<std::array<Bits, kTypes>, kSources> bits_ = defaults();
    std::map<std::tuple<int, int, GLuint>, Bits> ids_;
    static std::array<std::array<Bits, kTypes>, kSources> defaults();
};

struct DebugMessage {
    GLenum source, type;
    GLuint id;
    GLenum severity;
    std::string text;
};

struct DebugState {
    bool output = false, synchronous = false;
    bool sync = false;  // TERRAZZO_DEBUG=sync
    GLDEBUGPROCKHR callback = nullptr;
    const void* user_param = nullptr;
    struct Group {
        DebugMessage push;   // repeated when the group is popped
        DebugFilter filter;  // of the enclosing group, restored then
    };
    DebugFilter filter;
    std::vector<Group> groups;  // without the default group
    std::deque<DebugMessage> log;
    GLuint marker_depth = 0;
};

/// Delivers a message to the callback or the log, if it passes. Drops it when memory runs out.
void debug_message(Context& ctx, GLenum source, GLenum type, GLuint id, GLenum severity,
                   std::string_view text);
/// With TERRAZZO_DEBUG=sync, after a command that may have submitted work: says on stderr and to KHR_debug
/// that the device lost it. The application still learns of the reset.
void report_loss(Context& ctx, const char* command);
inline void after_submission(Context& ctx, const char* command) {
    if (ctx.debug->sync) [[unlikely]]
        report_loss(ctx, command);
}
/// Copies a string as all GL queries of strings do: at most buf_size bytes with the zero; *length without it.
void copy_string(std::string_view text, GLsizei buf_size, GLsizei* length, GLchar* out);

}  // namespace terrazzo::st

// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The state of KHR_debug in a context: the callback, the filters, the log and the group stack. Messages are
// always delivered on the thread and inside the command that caused them, so GL_DEBUG_OUTPUT_SYNCHRONOUS
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

/// Selects the messages to deliver: by source, type and severity, and by the ids that the application listed.
class DebugFilter {
  public:
    static constexpr unsigned kSources = 6, kTypes = 9, kSeverities = 4;
    /// Index of an enum; -1: it is no such enum.
    static int source_index(GLenum e);
    static int type_index(GLenum e);
    static int severity_index(GLenum e);

    /// Sets a filter; -1 means every source, type or severity.
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
        DebugFilter filter;  // of the enclosing group; restored at the pop
    };
    DebugFilter filter;
    std::vector<Group> groups;  // without the default group
    std::deque<DebugMessage> log;
    GLuint marker_depth = 0;
};

/// Delivers a message to the callback or the log if the filter lets it pass. Drops it if memory runs out.
void debug_message(Context& ctx, GLenum source, GLenum type, GLuint id, GLenum severity,
                   std::string_view text);
/// For TERRAZZO_DEBUG=sync, after a command that may have submitted work: if the device lost the work,
/// reports that on stderr and to KHR_debug. The application still learns of the reset.
void report_loss(Context& ctx, const char* command);
inline void after_submission(Context& ctx, const char* command) {
    if (ctx.debug->sync) [[unlikely]]
        report_loss(ctx, command);
}
/// Copies a string as all GL string queries do: at most buf_size bytes including the zero. *length does not
/// count the zero.
void copy_string(std::string_view text, GLsizei buf_size, GLsizei* length, GLchar* out);

}  // namespace terrazzo::st

// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Messages to the application: KHR_debug (control, insertion, callback, log, groups) and EXT_debug_marker.
#include "state_tracker/debug/debug.h"

#include <cstring>
#include <iterator>
#include <new>

#include "pipe/debug.h"

namespace terrazzo::st {
namespace {

constexpr GLenum kSourceEnums[] = {
    GL_DEBUG_SOURCE_API_KHR,         GL_DEBUG_SOURCE_WINDOW_SYSTEM_KHR, GL_DEBUG_SOURCE_SHADER_COMPILER_KHR,
    GL_DEBUG_SOURCE_THIRD_PARTY_KHR, GL_DEBUG_SOURCE_APPLICATION_KHR,   GL_DEBUG_SOURCE_OTHER_KHR};
constexpr GLenum kTypeEnums[] = {GL_DEBUG_TYPE_ERROR_KHR,
                                 GL_DEBUG_TYPE_DEPRECATED_BEHAVIOR_KHR,
                                 GL_DEBUG_TYPE_UNDEFINED_BEHAVIOR_KHR,
                                 GL_DEBUG_TYPE_PORTABILITY_KHR,
                                 GL_DEBUG_TYPE_PERFORMANCE_KHR,
                                 GL_DEBUG_TYPE_OTHER_KHR,
                                 GL_DEBUG_TYPE_MARKER_KHR,
                                 GL_DEBUG_TYPE_PUSH_GROUP_KHR,
                                 GL_DEBUG_TYPE_POP_GROUP_KHR};
constexpr GLenum kSeverityEnums[] = {GL_DEBUG_SEVERITY_HIGH_KHR, GL_DEBUG_SEVERITY_MEDIUM_KHR,
                                     GL_DEBUG_SEVERITY_LOW_KHR, GL_DEBUG_SEVERITY_NOTIFICATION_KHR};
static_assert(std::size(kSourceEnums) == DebugFilter::kSources &&
              std::size(kTypeEnums) == DebugFilter::kTypes &&
              std::size(kSeverityEnums) == DebugFilter::kSeverities);

template <size_t N>
int index_of(const GLenum (&table)[N], GLenum e) {
    for (size_t i = 0; i < N; ++i)
        if (table[i] == e) return int(i);
    return -1;
}

bool application_source(GLenum source) {
    return source == GL_DEBUG_SOURCE_APPLICATION_KHR || source == GL_DEBUG_SOURCE_THIRD_PARTY_KHR;
}

/// The text of (length, string) arguments. False: it is too long; GL_INVALID_VALUE is recorded.
bool message_text(Context& ctx, const char* command, GLsizei length, const GLchar* text,
                  std::string_view* out) {
    size_t n = !text ? 0 : length < 0 ? strnlen(text, kMaxDebugMessageLength) : size_t(length);
    if (n >= size_t(kMaxDebugMessageLength)) {
        ctx.error(GL_INVALID_VALUE, command,
                  "the message is not shorter than GL_MAX_DEBUG_MESSAGE_LENGTH (%d)", kMaxDebugMessageLength);
        return false;
    }
    *out = {text ? text : "", n};
    return true;
}

}  // namespace

int DebugFilter::source_index(GLenum e) {
    return index_of(kSourceEnums, e);
}
int DebugFilter::type_index(GLenum e) {
    return index_of(kTypeEnums, e);
}
int DebugFilter::severity_index(GLenum e) {
    return index_of(kSeverityEnums, e);
}

// At first all messages are enabled except those of low severity.
std::array<std::array<DebugFilter::Bits, DebugFilter::kTypes>, DebugFilter::kSources>
DebugFilter::defaults() {
    std::array<std::array<Bits, kTypes>, kSources> b;
    for (auto& row : b)
        row.fill(0xf & ~(1u << 2));
    return b;
}

void DebugFilter::set(int source, int type, int severity, bool enabled) {
    const Bits which = severity < 0 ? Bits(0xf) : Bits(1u << severity);
    auto apply = [&](Bits& b) { b = enabled ? b | which : b & ~which; };
    for (unsigned s = 0; s < kSources; ++s)
        for (unsigned t = 0; t < kTypes; ++t)
            if ((source < 0 || unsigned(source) == s) && (type < 0 || unsigned(type) == t))
                apply(bits_[s][t]);
    for (auto& [key, b] : ids_)
        if ((source < 0 || source == std::get<0>(key)) && (type < 0 || type == std::get<1>(key))) apply(b);
}

void DebugFilter::set_id(int source, int type, GLuint id, bool enabled) {
    ids_[{source, type, id}] = enabled ? 0xf : 0;
}

bool DebugFilter::passes(int source, int type, int severity, GLuint id) const {
    auto it = ids_.find({source, type, id});
    Bits b = it != ids_.end() ? it->second : bits_[size_t(source)][size_t(type)];
    return b >> severity & 1;
}

void debug_message(Context& ctx, GLenum source, GLenum type, GLuint id, GLenum severity,
                   std::string_view text) {
    DebugState* d = ctx.debug.get();
    if (!d || !d->output) return;
    int s = DebugFilter::source_index(source), t = DebugFilter::type_index(type);
    int v = DebugFilter::severity_index(severity);
    if (s < 0 || t < 0 || v < 0 || !d->filter.passes(s, t, v, id)) return;
    text = text.substr(0, size_t(kMaxDebugMessageLength) - 1);
    try {
        std::string copy(text);
        if (d->callback)
            d->callback(source, type, id, severity, GLsizei(copy.size()), copy.c_str(), d->user_param);
        else if (d->log.size() < size_t(kMaxDebugLoggedMessages))
            d->log.push_back({source, type, id, severity, std::move(copy)});
    } catch (const std::bad_alloc&) {
        // A lost message is better than an error because of a message.
    }
}

void report_loss(Context& ctx, const char* command) {
    const pipe::ResetStatus now = ctx.pipe->reset_status();
    if (now == pipe::ResetStatus::None) return;
    const std::string text = std::string(command) +
                             ": the device lost this context's work since its last submission (" +
                             (now == pipe::ResetStatus::Guilty     ? "caused by this context"
                              : now == pipe::ResetStatus::Innocent ? "caused by another context"
                                                                   : "the cause is unknown") +
                             ")";
    pipe::debug_print(pipe::DebugWord::Sync, text);
    debug_message(ctx, GL_DEBUG_SOURCE_API_KHR, GL_DEBUG_TYPE_ERROR_KHR, GL_CONTEXT_LOST_KHR,
                  GL_DEBUG_SEVERITY_HIGH_KHR, text);
    if (!ctx.config.lose_context_on_reset) return;
    ctx.reset = now;
    ctx.lost = true;
}

void copy_string(std::string_view text, GLsizei buf_size, GLsizei* length, GLchar* out) {
    size_t n = 0;
    if (out && buf_size > 0) {
        n = std::min(text.size(), size_t(buf_size) - 1);
        std::memcpy(out, text.data(), n);
        out[n] = 0;
    }
    if (length) *length = GLsizei(n);
}

void DebugMessageControl(Context& ctx, GLenum source, GLenum type, GLenum severity, GLsizei count,
                         const GLuint* ids, GLboolean enabled) {
    const char* const command = "glDebugMessageControlKHR";
    int s = DebugFilter::source_index(source), t = DebugFilter::type_index(type);
    int v = DebugFilter::severity_index(severity);
    if (s < 0 && source != GL_DONT_CARE)
        return ctx.error(GL_INVALID_ENUM, command, "source 0x%04x is none", source);
    if (t < 0 && type != GL_DONT_CARE)
        return ctx.error(GL_INVALID_ENUM, command, "type 0x%04x is none", type);
    if (v < 0 && severity != GL_DONT_CARE)
        return ctx.error(GL_INVALID_ENUM, command, "severity 0x%04x is none", severity);
    if (count < 0) return ctx.error(GL_INVALID_VALUE, command, "count (%d) is negative", count);
    if (count && (s < 0 || t < 0 || v >= 0))
        return ctx.error(GL_INVALID_OPERATION, command,
                         "ids need a source, a type and the severity GL_DONT_CARE");
    if (!count) return ctx.debug->filter.set(s, t, v, enabled);
    DebugFilter changed = ctx.debug->filter;
    for (GLsizei i = 0; ids && i < count; ++i)
        changed.set_id(s, t, ids[i], enabled);
    ctx.debug->filter = std::move(changed);
}

void DebugMessageInsert(Context& ctx, GLenum source, GLenum type, GLuint id, GLenum severity, GLsizei length,
                        const GLchar* buf) {
    const char* const command = "glDebugMessageInsertKHR";
    if (!application_source(source))
        return ctx.error(GL_INVALID_ENUM, command, "source 0x%04x is not the application or a third party",
                         source);
    if (DebugFilter::type_index(type) < 0)
        return ctx.error(GL_INVALID_ENUM, command, "type 0x%04x is none", type);
    if (DebugFilter::severity_index(severity) < 0)
        return ctx.error(GL_INVALID_ENUM, command, "severity 0x%04x is none", severity);
    std::string_view text;
    if (message_text(ctx, command, length, buf, &text)) debug_message(ctx, source, type, id, severity, text);
}

void DebugMessageCallback(Context& ctx, GLDEBUGPROCKHR callback, const void* userParam) {
    ctx.debug->callback = callback;
    ctx.debug->user_param = userParam;
}

GLuint GetDebugMessageLog(Context& ctx, GLuint count, GLsizei bufSize, GLenum* sources, GLenum* types,
                          GLuint* ids, GLenum* severities, GLsizei* lengths, GLchar* messageLog) {
    if (bufSize < 0 && messageLog)
        return ctx.error(GL_INVALID_VALUE, "glGetDebugMessageLogKHR", "bufSize (%d) is negative", bufSize),
               0u;
    auto& log = ctx.debug->log;
    size_t used = 0;
    GLuint n = 0;
    for (; n < count && !log.empty(); ++n) {
        const DebugMessage& m = log.front();
        size_t size = m.text.size() + 1;
        if (messageLog) {
            if (used + size > size_t(bufSize)) break;
            std::memcpy(messageLog + used, m.text.c_str(), size);
            used += size;
        }
        if (sources) sources[n] = m.source;
        if (types) types[n] = m.type;
        if (ids) ids[n] = m.id;
        if (severities) severities[n] = m.severity;
        if (lengths) lengths[n] = GLsizei(size);
        log.pop_front();
    }
    return n;
}

void PushDebugGroup(Context& ctx, GLenum source, GLuint id, GLsizei length, const GLchar* message) {
    const char* const command = "glPushDebugGroupKHR";
    if (!application_source(source))
        return ctx.error(GL_INVALID_ENUM, command, "source 0x%04x is not the application or a third party",
                         source);
    std::string_view text;
    if (!message_text(ctx, command, length, message, &text)) return;
    DebugState& d = *ctx.debug;
    if (d.groups.size() + 1 >= size_t(kMaxDebugGroupStackDepth))
        return ctx.error(GL_STACK_OVERFLOW_KHR, command, "%d groups are open", kMaxDebugGroupStackDepth);
    const GLenum severity = GL_DEBUG_SEVERITY_NOTIFICATION_KHR;
    DebugMessage push{source, GL_DEBUG_TYPE_PUSH_GROUP_KHR, id, severity, std::string(text)};
    d.groups.push_back({std::move(push), d.filter});
    debug_message(ctx, source, GL_DEBUG_TYPE_PUSH_GROUP_KHR, id, severity, text);
}

void PopDebugGroup(Context& ctx) {
    DebugState& d = *ctx.debug;
    if (d.groups.empty())
        return ctx.error(GL_STACK_UNDERFLOW_KHR, "glPopDebugGroupKHR", "only the default group is open");
    DebugState::Group group = std::move(d.groups.back());
    d.groups.pop_back();
    d.filter = std::move(group.filter);
    debug_message(ctx, group.push.source, GL_DEBUG_TYPE_POP_GROUP_KHR, group.push.id, group.push.severity,
                  group.push.text);
}

void GetPointerv(Context& ctx, GLenum pname, void** params) {
    void* value;
    switch (pname) {
        case GL_DEBUG_CALLBACK_FUNCTION_KHR:
            value = reinterpret_cast<void*>(ctx.debug->callback);
            break;
        case GL_DEBUG_CALLBACK_USER_PARAM_KHR:
            value = const_cast<void*>(ctx.debug->user_param);
            break;
        default:
            return ctx.error(GL_INVALID_ENUM, "glGetPointervKHR", "pname 0x%04x is none of a pointer", pname);
    }
    if (params) *params = value;
}

// --- EXT_debug_marker: a length of 0 means zero-terminated. Markers never raise an error, whatever their
// arguments are (VK-GL-CTS, functional.debug_marker.invalid). An invalid one is reported to KHR_debug.

void InsertEventMarker(Context& ctx, GLsizei length, const GLchar* marker) {
    if (length < 0 || !marker)
        return ctx.message(GL_DEBUG_TYPE_UNDEFINED_BEHAVIOR_KHR, GL_DEBUG_SEVERITY_LOW_KHR,
                           "glInsertEventMarkerEXT: the marker is null or its length (%d) negative", length);
    size_t n = length ? size_t(length) : strnlen(marker, kMaxDebugMessageLength);
    debug_message(ctx, GL_DEBUG_SOURCE_APPLICATION_KHR, GL_DEBUG_TYPE_MARKER_KHR, 0,
                  GL_DEBUG_SEVERITY_NOTIFICATION_KHR, {marker, n});
}

void PushGroupMarker(Context& ctx, GLsizei length, const GLchar*) {
    if (length < 0)
        return ctx.message(GL_DEBUG_TYPE_UNDEFINED_BEHAVIOR_KHR, GL_DEBUG_SEVERITY_LOW_KHR,
                           "glPushGroupMarkerEXT: the length (%d) is negative", length);
    ++ctx.debug->marker_depth;
}

void PopGroupMarker(Context& ctx) {
    if (ctx.debug->marker_depth) --ctx.debug->marker_depth;
}

}  // namespace terrazzo::st

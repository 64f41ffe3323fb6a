// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Query objects: OpenGL ES 3.0 section 2.14, EXT_occlusion_query_boolean, EXT_disjoint_timer_query. Contexts
// do not share them. The device's clock is never disjoint.
#include "state_tracker/queries/query.h"

#include <algorithm>
#include <limits>

namespace terrazzo::st {
namespace {

/// Indices of Context::active_queries: both kinds of occlusion queries share one.
enum Slot : unsigned { kSamples, kElapsed, kWritten, kGenerated };

struct Target {
    GLenum name;
    pipe::QueryKind kind;
    Slot slot;
    int version = 20;
};
constexpr Target kTargets[] = {
    {GL_ANY_SAMPLES_PASSED_EXT, pipe::QueryKind::AnySamples, kSamples},
    {GL_ANY_SAMPLES_PASSED_CONSERVATIVE_EXT, pipe::QueryKind::AnySamplesConservative, kSamples},
    {GL_TIME_ELAPSED_EXT, pipe::QueryKind::TimeElapsed, kElapsed},
    {GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN, pipe::QueryKind::PrimitivesWritten, kWritten, 30},
    {GL_PRIMITIVES_GENERATED, pipe::QueryKind::PrimitivesGenerated, kGenerated, 31},
};
const Target* find_target(const Context& ctx, GLenum name) {
    for (const Target& t : kTargets)
        if (t.name == name) return ctx.config.version >= t.version ? &t : nullptr;
    return nullptr;
}

bool is_active(const Context& ctx, const QueryObject* q) {
    return q && std::find(std::begin(ctx.active_queries), std::end(ctx.active_queries), q) !=
                    std::end(ctx.active_queries);
}

/// The object of a name that GenQueries returned, created for `target` if necessary. Null: the error is
/// recorded.
QueryObject* usable_query(Context& ctx, const char* command, GLuint id, GLenum target) {
    QueryObject* q = ctx.queries.find(id);
    if (id == 0 || !ctx.queries.reserved(id)) {
        ctx.error(GL_INVALID_OPERATION, command, "%u is no name that glGenQueries gave", id);
        return nullptr;
    }
    if (q && (q->target != target || is_active(ctx, q))) {
        ctx.error(GL_INVALID_OPERATION, command, "query %u %s", id,
                  q->target != target ? "is of another target" : "is active");
        return nullptr;
    }
    return q;
}

/// A query whose result may be read. Null: the error is recorded.
QueryObject* finished_query(Context& ctx, const char* command, GLuint id) {
    QueryObject* const q = ctx.queries.find(id);
    if (!q || is_active(ctx, q)) {
        ctx.error(GL_INVALID_OPERATION, command, q ? "query %u is active" : "%u is no query", id);
        return nullptr;
    }
    return q;
}

/// Creates the object of a name at its first use. Null: out of memory; the error is recorded.
QueryObject* make_query(Context& ctx, const char* command, GLuint id, GLenum target, pipe::QueryKind kind) {
    auto q = pipe::Ref<QueryObject>::adopt(new QueryObject(id, target));
    q->query = ctx.pipe->create_query(kind);
    if (!q->query) {
        ctx.out_of_memory(command);
        return nullptr;
    }
    QueryObject* const made = q.get();
    ctx.queries.set(id, std::move(q));
    return made;
}

/// A value of glGetQueryObject*. False: the error is recorded.
bool query_object(Context& ctx, const char* command, GLuint id, GLenum pname, uint64_t* out) {
    QueryObject* const q = finished_query(ctx, command, id);
    if (!q) return false;
    if (pname != GL_QUERY_RESULT_EXT && pname != GL_QUERY_RESULT_AVAILABLE_EXT) {
        ctx.error(GL_INVALID_ENUM, command, "pname 0x%04x", pname);
        return false;
    }
    end_rendering(ctx);  // sends the counted draws to the device
    uint64_t value = 0;
    const bool wait = pname == GL_QUERY_RESULT_EXT;
    const bool available = ctx.pipe->query_result(*q->query, wait, &value);
    *out = wait ? value : available;
    return true;
}

template <class T>
void get_query_object(Context& ctx, const char* command, GLuint id, GLenum pname, T* params) {
    uint64_t value;
    if (query_object(ctx, command, id, pname, &value) && params)
        *params = T(std::min<uint64_t>(value, uint64_t(std::numeric_limits<T>::max())));
}

}  // namespace

void GenQueries(Context& ctx, GLsizei n, GLuint* ids) {
    if (n < 0) return ctx.error(GL_INVALID_VALUE, "glGenQueries", "n %d is negative", n);
    for (GLsizei i = 0; ids && i < n; ++i)
        ids[i] = ctx.queries.reserve();
}

void DeleteQueries(Context& ctx, GLsizei n, const GLuint* ids) {
    if (n < 0) return ctx.error(GL_INVALID_VALUE, "glDeleteQueries", "n %d is negative", n);
    for (GLsizei i = 0; ids && i < n; ++i) {
        const pipe::Ref<QueryObject> q = ids[i] ? ctx.queries.remove(ids[i]) : nullptr;
        for (QueryObject*& active : ctx.active_queries)
            if (q && active == q.get()) {
                ctx.pipe->end_query(*q->query);
                active = nullptr;
            }
    }
}

GLboolean IsQuery(Context& ctx, GLuint id) {
    return id && ctx.queries.find(id);
}

void BeginQuery(Context& ctx, GLenum target, GLuint id) {
    static constexpr char kName[] = "glBeginQuery";
    const Target* const t = find_target(ctx, target);
    if (!t) return ctx.error(GL_INVALID_ENUM, kName, "target 0x%04x", target);
    if (ctx.active_queries[t->slot])
        return ctx.error(GL_INVALID_OPERATION, kName, "query %u is active",
                         ctx.active_queries[t->slot]->name);
    QueryObject* q = usable_query(ctx, kName, id, target);
    if (!q && (id == 0 || !ctx.queries.reserved(id) || ctx.queries.find(id))) return;
    if (!q) q = make_query(ctx, kName, id, target, t->kind);
    if (!q) return;
    if (t->slot == kElapsed) end_rendering(ctx);
    ctx.pipe->begin_query(*q->query);
    ctx.active_queries[t->slot] = q;
}

void EndQuery(Context& ctx, GLenum target) {
    static constexpr char kName[] = "glEndQuery";
    const Target* const t = find_target(ctx, target);
    if (!t) return ctx.error(GL_INVALID_ENUM, kName, "target 0x%04x", target);
    QueryObject* const q = ctx.active_queries[t->slot];
    if (!q || q->target != target)
        return ctx.error(GL_INVALID_OPERATION, kName, "no query of target 0x%04x is active", target);
    if (t->slot == kElapsed) end_rendering(ctx);
    ctx.pipe->end_query(*q->query);
    ctx.active_queries[t->slot] = nullptr;
}

void QueryCounter(Context& ctx, GLuint id, GLenum target) {
    static constexpr char kName[] = "glQueryCounterEXT";
    if (target != GL_TIMESTAMP_EXT) return ctx.error(GL_INVALID_ENUM, kName, "target 0x%04x", target);
    QueryObject* q = usable_query(ctx, kName, id, target);
    if (!q && (id == 0 || !ctx.queries.reserved(id) || ctx.queries.find(id))) return;
    if (!q) q = make_query(ctx, kName, id, target, pipe::QueryKind::Timestamp);
    if (!q) return;
    end_rendering(ctx);
    ctx.pipe->end_query(*q->query);
}

void GetQueryiv(Context& ctx, GLenum target, GLenum pname, GLint* params) {
    static constexpr char kName[] = "glGetQueryiv";
    const Target* const t = find_target(ctx, target);
    if (!t && target != GL_TIMESTAMP_EXT) return ctx.error(GL_INVALID_ENUM, kName, "target 0x%04x", target);
    GLint value = 0;
    if (pname == GL_CURRENT_QUERY_EXT) {
        const QueryObject* const q = t ? ctx.active_queries[t->slot] : nullptr;
        value = q && q->target == target ? GLint(q->name) : 0;
    } else if (pname == GL_QUERY_COUNTER_BITS_EXT) {
        value = t && t->slot == kSamples ? 1 : 64;
    } else {
        return ctx.error(GL_INVALID_ENUM, kName, "pname 0x%04x", pname);
    }
    if (params) *params = value;
}

void GetQueryObjectiv(Context& ctx, GLuint id, GLenum pname, GLint* params) {
    get_query_object(ctx, "glGetQueryObjectivEXT", id, pname, params);
}
void GetQueryObjectuiv(Context& ctx, GLuint id, GLenum pname, GLuint* params) {
    get_query_object(ctx, "glGetQueryObjectuiv", id, pname, params);
}
void GetQueryObjecti64v(Context& ctx, GLuint id, GLenum pname, GLint64* params) {
    get_query_object(ctx, "glGetQueryObjecti64vEXT", id, pname, params);
}
void GetQueryObjectui64v(Context& ctx, GLuint id, GLenum pname, GLuint64* params) {
    get_query_object(ctx, "glGetQueryObjectui64vEXT", id, pname, params);
}

}  // namespace terrazzo::st

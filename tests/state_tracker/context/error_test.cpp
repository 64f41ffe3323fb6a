// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Each error of the OpenGL ES 2.0 specification (and of the supported extensions) in one row: the command
// must record exactly this error. Rows that need a program are in program_test.cpp.
#include <doctest/doctest.h>

#include "tests/state_tracker/harness.h"

using namespace terrazzo;
using namespace terrazzo::st;

namespace {

struct Row {
    const char* what;
    GLenum code;
    void (*call)(Context&);
};

constexpr GLenum kBad = 0xBAD;

// Rows of a table.
// clang-format off
const Row kRows[] = {
    // state (sections 2.12, 2.13, 3.3 to 3.5, 4.1, 4.2)
    {"Enable: cap", GL_INVALID_ENUM, [](Context& c) { Enable(c, kBad); }},
    {"Enable: GL_TEXTURE_2D is none", GL_INVALID_ENUM, [](Context& c) { Enable(c, GL_TEXTURE_2D); }},
    {"Disable: cap", GL_INVALID_ENUM, [](Context& c) { Disable(c, kBad); }},
    {"IsEnabled: cap", GL_INVALID_ENUM, [](Context& c) { (void)IsEnabled(c, kBad); }},
    {"BlendEquation: mode", GL_INVALID_ENUM, [](Context& c) { BlendEquation(c, kBad); }},
    {"BlendEquationSeparate: rgb", GL_INVALID_ENUM, [](Context& c) { BlendEquationSeparate(c, kBad, GL_FUNC_ADD); }},
    {"BlendEquationSeparate: alpha", GL_INVALID_ENUM, [](Context& c) { BlendEquationSeparate(c, GL_FUNC_ADD, kBad); }},
    {"BlendFunc: source", GL_INVALID_ENUM, [](Context& c) { BlendFunc(c, kBad, GL_ONE); }},
    {"BlendFunc: destination", GL_INVALID_ENUM, [](Context& c) { BlendFunc(c, GL_ONE, kBad); }},
    {"BlendFuncSeparate: source alpha", GL_INVALID_ENUM,
     [](Context& c) { BlendFuncSeparate(c, GL_ONE, GL_ONE, kBad, GL_ONE); }},
    {"BlendFuncSeparate: destination alpha", GL_INVALID_ENUM,
     [](Context& c) { BlendFuncSeparate(c, GL_ONE, GL_ONE, GL_ONE, kBad); }},
    {"CullFace: mode", GL_INVALID_ENUM, [](Context& c) { CullFace(c, kBad); }},
    {"FrontFace: mode", GL_INVALID_ENUM, [](Context& c) { FrontFace(c, GL_FRONT); }},
    {"DepthFunc: func", GL_INVALID_ENUM, [](Context& c) { DepthFunc(c, kBad); }},
    {"StencilFunc: func", GL_INVALID_ENUM, [](Context& c) { StencilFunc(c, kBad, 0, 0); }},
    {"StencilFuncSeparate: face", GL_INVALID_ENUM, [](Context& c) { StencilFuncSeparate(c, kBad, GL_ALWAYS, 0, 0); }},
    {"StencilFuncSeparate: func", GL_INVALID_ENUM, [](Context& c) { StencilFuncSeparate(c, GL_BACK, kBad, 0, 0); }},
    {"StencilOp: fail", GL_INVALID_ENUM, [](Context& c) { StencilOp(c, kBad, GL_KEEP, GL_KEEP); }},
    {"StencilOp: zfail", GL_INVALID_ENUM, [](Context& c) { StencilOp(c, GL_KEEP, kBad, GL_KEEP); }},
    {"StencilOp: zpass", GL_INVALID_ENUM, [](Context& c) { StencilOp(c, GL_KEEP, GL_KEEP, kBad); }},
    {"StencilOpSeparate: face", GL_INVALID_ENUM,
     [](Context& c) { StencilOpSeparate(c, kBad, GL_KEEP, GL_KEEP, GL_KEEP); }},
    {"StencilOpSeparate: op", GL_INVALID_ENUM,
     [](Context& c) { StencilOpSeparate(c, GL_FRONT, GL_KEEP, GL_KEEP, kBad); }},
    {"StencilMaskSeparate: face", GL_INVALID_ENUM, [](Context& c) { StencilMaskSeparate(c, kBad, 0); }},
    {"LineWidth: zero", GL_INVALID_VALUE, [](Context& c) { LineWidth(c, 0); }},
    {"LineWidth: negative", GL_INVALID_VALUE, [](Context& c) { LineWidth(c, -1); }},
    {"LineWidth: not a number", GL_INVALID_VALUE, [](Context& c) { LineWidth(c, __builtin_nanf("")); }},
    {"Scissor: width", GL_INVALID_VALUE, [](Context& c) { Scissor(c, 0, 0, -1, 1); }},
    {"Scissor: height", GL_INVALID_VALUE, [](Context& c) { Scissor(c, 0, 0, 1, -1); }},
    {"Viewport: width", GL_INVALID_VALUE, [](Context& c) { Viewport(c, 0, 0, -1, 1); }},
    {"Viewport: height", GL_INVALID_VALUE, [](Context& c) { Viewport(c, 0, 0, 1, -1); }},
    {"Hint: target", GL_INVALID_ENUM, [](Context& c) { Hint(c, kBad, GL_NICEST); }},
    {"Hint: mode", GL_INVALID_ENUM, [](Context& c) { Hint(c, GL_GENERATE_MIPMAP_HINT, kBad); }},

    // queries (section 6.1)
    {"GetBooleanv: pname", GL_INVALID_ENUM,
     [](Context& c) {
         GLboolean v;
         GetBooleanv(c, kBad, &v);
     }},
    {"GetFloatv: pname", GL_INVALID_ENUM,
     [](Context& c) {
         GLfloat v;
         GetFloatv(c, kBad, &v);
     }},
    {"GetIntegerv: pname", GL_INVALID_ENUM,
     [](Context& c) {
         GLint v;
         GetIntegerv(c, kBad, &v);
     }},
    {"GetString: name", GL_INVALID_ENUM, [](Context& c) { (void)GetString(c, kBad); }},
    {"GetPointerv: pname", GL_INVALID_ENUM,
     [](Context& c) {
         void* p;
         GetPointerv(c, kBad, &p);
     }},

    // buffers (section 2.9)
    {"GenBuffers: n", GL_INVALID_VALUE, [](Context& c) { GenBuffers(c, -1, nullptr); }},
    {"DeleteBuffers: n", GL_INVALID_VALUE, [](Context& c) { DeleteBuffers(c, -1, nullptr); }},
    {"BindBuffer: target", GL_INVALID_ENUM, [](Context& c) { BindBuffer(c, kBad, 0); }},
    {"BufferData: target", GL_INVALID_ENUM, [](Context& c) { BufferData(c, kBad, 1, nullptr, GL_STATIC_DRAW); }},
    {"BufferData: usage", GL_INVALID_ENUM,
     [](Context& c) {
         BindBuffer(c, GL_ARRAY_BUFFER, 1);
         BufferData(c, GL_ARRAY_BUFFER, 1, nullptr, kBad);
     }},
    {"BufferData: size", GL_INVALID_VALUE,
     [](Context& c) {
         BindBuffer(c, GL_ARRAY_BUFFER, 1);
         BufferData(c, GL_ARRAY_BUFFER, -1, nullptr, GL_STATIC_DRAW);
     }},
    {"BufferData: no buffer", GL_INVALID_OPERATION,
     [](Context& c) { BufferData(c, GL_ARRAY_BUFFER, 1, nullptr, GL_STATIC_DRAW); }},
    {"BufferData: more than there can be", GL_OUT_OF_MEMORY,
     [](Context& c) {
         BindBuffer(c, GL_ARRAY_BUFFER, 1);
         BufferData(c, GL_ARRAY_BUFFER, PTRDIFF_MAX, nullptr, GL_STATIC_DRAW);
     }},
    {"BufferSubData: target", GL_INVALID_ENUM, [](Context& c) { BufferSubData(c, kBad, 0, 0, nullptr); }},
    {"BufferSubData: no buffer", GL_INVALID_OPERATION,
     [](Context& c) { BufferSubData(c, GL_ELEMENT_ARRAY_BUFFER, 0, 0, nullptr); }},
    {"BufferSubData: offset", GL_INVALID_VALUE,
     [](Context& c) {
         BindBuffer(c, GL_ARRAY_BUFFER, 1);
         BufferSubData(c, GL_ARRAY_BUFFER, -1, 1, "");
     }},
    {"BufferSubData: size", GL_INVALID_VALUE,
     [](Context& c) {
         BindBuffer(c, GL_ARRAY_BUFFER, 1);
         BufferSubData(c, GL_ARRAY_BUFFER, 0, -1, "");
     }},
    {"BufferSubData: end", GL_INVALID_VALUE,
     [](Context& c) {
         BindBuffer(c, GL_ARRAY_BUFFER, 1);
         BufferData(c, GL_ARRAY_BUFFER, 8, nullptr, GL_STATIC_DRAW);
         BufferSubData(c, GL_ARRAY_BUFFER, 5, 4, "abcd");
     }},
    {"BufferSubData: an end that wraps", GL_INVALID_VALUE,
     [](Context& c) {
         BindBuffer(c, GL_ARRAY_BUFFER, 1);
         BufferData(c, GL_ARRAY_BUFFER, 8, nullptr, GL_STATIC_DRAW);
         BufferSubData(c, GL_ARRAY_BUFFER, PTRDIFF_MAX, PTRDIFF_MAX, "abcd");
     }},
    {"GetBufferParameteriv: target", GL_INVALID_ENUM,
     [](Context& c) {
         GLint v;
         GetBufferParameteriv(c, kBad, GL_BUFFER_SIZE, &v);
     }},
    {"GetBufferParameteriv: pname", GL_INVALID_ENUM,
     [](Context& c) {
         GLint v;
         BindBuffer(c, GL_ARRAY_BUFFER, 1);
         GetBufferParameteriv(c, GL_ARRAY_BUFFER, kBad, &v);
     }},
    {"GetBufferParameteriv: no buffer", GL_INVALID_OPERATION,
     [](Context& c) {
         GLint v;
         GetBufferParameteriv(c, GL_ARRAY_BUFFER, GL_BUFFER_SIZE, &v);
     }},

    // vertex attributes (sections 2.7, 2.8)
    {"VertexAttrib1f: index", GL_INVALID_VALUE, [](Context& c) { VertexAttrib1f(c, 16, 0); }},
    {"VertexAttrib4fv: index", GL_INVALID_VALUE,
     [](Context& c) {
         const GLfloat v[4] = {};
         VertexAttrib4fv(c, ~0u, v);
     }},
    {"VertexAttribPointer: index", GL_INVALID_VALUE,
     [](Context& c) { VertexAttribPointer(c, 16, 4, GL_FLOAT, 0, 0, nullptr); }},
    {"VertexAttribPointer: size 0", GL_INVALID_VALUE,
     [](Context& c) { VertexAttribPointer(c, 0, 0, GL_FLOAT, 0, 0, nullptr); }},
    {"VertexAttribPointer: size 5", GL_INVALID_VALUE,
     [](Context& c) { VertexAttribPointer(c, 0, 5, GL_FLOAT, 0, 0, nullptr); }},
    {"VertexAttribPointer: type", GL_INVALID_ENUM,
     [](Context& c) { VertexAttribPointer(c, 0, 4, GL_UNSIGNED_INT, 0, 0, nullptr); }},
    {"VertexAttribPointer: stride", GL_INVALID_VALUE,
     [](Context& c) { VertexAttribPointer(c, 0, 4, GL_FLOAT, 0, -1, nullptr); }},
    {"EnableVertexAttribArray: index", GL_INVALID_VALUE, [](Context& c) { EnableVertexAttribArray(c, 16); }},
    {"DisableVertexAttribArray: index", GL_INVALID_VALUE, [](Context& c) { DisableVertexAttribArray(c, 16); }},
    {"GetVertexAttribiv: index", GL_INVALID_VALUE,
     [](Context& c) {
         GLint v[4];
         GetVertexAttribiv(c, 16, GL_VERTEX_ATTRIB_ARRAY_SIZE, v);
     }},
    {"GetVertexAttribiv: pname", GL_INVALID_ENUM,
     [](Context& c) {
         GLint v[4];
         GetVertexAttribiv(c, 0, kBad, v);
     }},
    {"GetVertexAttribfv: pname", GL_INVALID_ENUM,
     [](Context& c) {
         GLfloat v[4];
         GetVertexAttribfv(c, 0, kBad, v);
     }},
    {"GetVertexAttribPointerv: index", GL_INVALID_VALUE,
     [](Context& c) {
         void* v;
         GetVertexAttribPointerv(c, 16, GL_VERTEX_ATTRIB_ARRAY_POINTER, &v);
     }},
    {"GetVertexAttribPointerv: pname", GL_INVALID_ENUM,
     [](Context& c) {
         void* v;
         GetVertexAttribPointerv(c, 0, kBad, &v);
     }},

    // OES_vertex_array_object
    {"GenVertexArrays: n", GL_INVALID_VALUE, [](Context& c) { GenVertexArrays(c, -1, nullptr); }},
    {"DeleteVertexArrays: n", GL_INVALID_VALUE, [](Context& c) { DeleteVertexArrays(c, -1, nullptr); }},
    {"BindVertexArray: a name never generated", GL_INVALID_OPERATION, [](Context& c) { BindVertexArray(c, 7); }},

    // OES_mapbuffer, EXT_map_buffer_range
    {"MapBuffer: target", GL_INVALID_ENUM, [](Context& c) { (void)MapBuffer(c, kBad, GL_WRITE_ONLY_OES); }},
    {"MapBuffer: access", GL_INVALID_ENUM, [](Context& c) { (void)MapBuffer(c, GL_ARRAY_BUFFER, kBad); }},
    {"MapBuffer: no buffer", GL_INVALID_OPERATION,
     [](Context& c) { (void)MapBuffer(c, GL_ARRAY_BUFFER, GL_WRITE_ONLY_OES); }},
    {"UnmapBuffer: target", GL_INVALID_ENUM, [](Context& c) { (void)UnmapBuffer(c, kBad); }},
    {"UnmapBuffer: no buffer", GL_INVALID_OPERATION, [](Context& c) { (void)UnmapBuffer(c, GL_ARRAY_BUFFER); }},
    {"UnmapBuffer: not mapped", GL_INVALID_OPERATION,
     [](Context& c) {
         BindBuffer(c, GL_ARRAY_BUFFER, 1);
         (void)UnmapBuffer(c, GL_ARRAY_BUFFER);
     }},
    {"GetBufferPointerv: target", GL_INVALID_ENUM,
     [](Context& c) {
         void* p;
         GetBufferPointerv(c, kBad, GL_BUFFER_MAP_POINTER_OES, &p);
     }},
    {"GetBufferPointerv: pname", GL_INVALID_ENUM,
     [](Context& c) {
         void* p;
         GetBufferPointerv(c, GL_ARRAY_BUFFER, kBad, &p);
     }},
    {"GetBufferPointerv: no buffer", GL_INVALID_OPERATION,
     [](Context& c) {
         void* p;
         GetBufferPointerv(c, GL_ARRAY_BUFFER, GL_BUFFER_MAP_POINTER_OES, &p);
     }},
    {"FlushMappedBufferRange: no buffer", GL_INVALID_OPERATION,
     [](Context& c) { FlushMappedBufferRange(c, GL_ARRAY_BUFFER, 0, 0); }},

    // shaders and programs (section 2.10) without objects
    {"CreateShader: type", GL_INVALID_ENUM, [](Context& c) { (void)CreateShader(c, kBad); }},
    {"DeleteShader: name", GL_INVALID_VALUE, [](Context& c) { DeleteShader(c, 99); }},
    {"DeleteProgram: name", GL_INVALID_VALUE, [](Context& c) { DeleteProgram(c, 99); }},
    {"CompileShader: name", GL_INVALID_VALUE, [](Context& c) { CompileShader(c, 99); }},
    {"ShaderSource: name", GL_INVALID_VALUE, [](Context& c) { ShaderSource(c, 99, 0, nullptr, nullptr); }},
    {"LinkProgram: name", GL_INVALID_VALUE, [](Context& c) { LinkProgram(c, 99); }},
    {"UseProgram: name", GL_INVALID_VALUE, [](Context& c) { UseProgram(c, 99); }},
    {"ValidateProgram: name", GL_INVALID_VALUE, [](Context& c) { ValidateProgram(c, 99); }},
    {"AttachShader: program", GL_INVALID_VALUE, [](Context& c) { AttachShader(c, 99, 98); }},
    {"DetachShader: program", GL_INVALID_VALUE, [](Context& c) { DetachShader(c, 99, 98); }},
    {"BindAttribLocation: program", GL_INVALID_VALUE, [](Context& c) { BindAttribLocation(c, 99, 0, "a"); }},
    {"GetShaderPrecisionFormat: shader type", GL_INVALID_ENUM,
     [](Context& c) { GetShaderPrecisionFormat(c, kBad, GL_LOW_FLOAT, nullptr, nullptr); }},
    {"GetShaderPrecisionFormat: precision type", GL_INVALID_ENUM,
     [](Context& c) { GetShaderPrecisionFormat(c, GL_VERTEX_SHADER, kBad, nullptr, nullptr); }},
    {"ShaderBinary: count", GL_INVALID_VALUE, [](Context& c) { ShaderBinary(c, -1, nullptr, 0, nullptr, 0); }},
    {"ShaderBinary: length", GL_INVALID_VALUE, [](Context& c) { ShaderBinary(c, 0, nullptr, 0, nullptr, -1); }},
    {"ShaderBinary: format", GL_INVALID_ENUM, [](Context& c) { ShaderBinary(c, 0, nullptr, kBad, nullptr, 0); }},
    {"Uniform1f: no program", GL_INVALID_OPERATION, [](Context& c) { Uniform1f(c, -1, 0); }},
    {"UniformMatrix4fv: no program", GL_INVALID_OPERATION,
     [](Context& c) { UniformMatrix4fv(c, -1, 1, GL_FALSE, nullptr); }},

    // draws (section 2.8)
    {"DrawArrays: mode", GL_INVALID_ENUM, [](Context& c) { DrawArrays(c, 7, 0, 3); }},
    {"DrawArrays: first", GL_INVALID_VALUE, [](Context& c) { DrawArrays(c, GL_TRIANGLES, -1, 3); }},
    {"DrawArrays: count", GL_INVALID_VALUE, [](Context& c) { DrawArrays(c, GL_TRIANGLES, 0, -1); }},
    {"DrawElements: mode", GL_INVALID_ENUM,
     [](Context& c) { DrawElements(c, kBad, 3, GL_UNSIGNED_BYTE, nullptr); }},
    {"DrawElements: count", GL_INVALID_VALUE,
     [](Context& c) { DrawElements(c, GL_TRIANGLES, -1, GL_UNSIGNED_BYTE, nullptr); }},
    {"DrawElements: type", GL_INVALID_ENUM, [](Context& c) { DrawElements(c, GL_TRIANGLES, 3, GL_BYTE, nullptr); }},

    // KHR_debug, EXT_debug_marker
    {"DebugMessageControl: source", GL_INVALID_ENUM,
     [](Context& c) { DebugMessageControl(c, kBad, GL_DONT_CARE, GL_DONT_CARE, 0, nullptr, 1); }},
    {"DebugMessageControl: type", GL_INVALID_ENUM,
     [](Context& c) { DebugMessageControl(c, GL_DONT_CARE, kBad, GL_DONT_CARE, 0, nullptr, 1); }},
    {"DebugMessageControl: severity", GL_INVALID_ENUM,
     [](Context& c) { DebugMessageControl(c, GL_DONT_CARE, GL_DONT_CARE, kBad, 0, nullptr, 1); }},
    {"DebugMessageControl: count", GL_INVALID_VALUE,
     [](Context& c) { DebugMessageControl(c, GL_DONT_CARE, GL_DONT_CARE, GL_DONT_CARE, -1, nullptr, 1); }},
    {"DebugMessageControl: ids without a source", GL_INVALID_OPERATION,
     [](Context& c) {
         const GLuint id = 1;
         DebugMessageControl(c, GL_DONT_CARE, GL_DEBUG_TYPE_OTHER_KHR, GL_DONT_CARE, 1, &id, 1);
     }},
    {"DebugMessageControl: ids with a severity", GL_INVALID_OPERATION,
     [](Context& c) {
         const GLuint id = 1;
         DebugMessageControl(c, GL_DEBUG_SOURCE_API_KHR, GL_DEBUG_TYPE_OTHER_KHR, GL_DEBUG_SEVERITY_LOW_KHR, 1, &id, 1);
     }},
    {"DebugMessageInsert: source", GL_INVALID_ENUM,
     [](Context& c) {
         DebugMessageInsert(c, GL_DEBUG_SOURCE_API_KHR, GL_DEBUG_TYPE_OTHER_KHR, 0, GL_DEBUG_SEVERITY_LOW_KHR, -1, "");
     }},
    {"DebugMessageInsert: type", GL_INVALID_ENUM,
     [](Context& c) {
         DebugMessageInsert(c, GL_DEBUG_SOURCE_APPLICATION_KHR, kBad, 0, GL_DEBUG_SEVERITY_LOW_KHR, -1, "");
     }},
    {"DebugMessageInsert: severity", GL_INVALID_ENUM,
     [](Context& c) {
         DebugMessageInsert(c, GL_DEBUG_SOURCE_APPLICATION_KHR, GL_DEBUG_TYPE_OTHER_KHR, 0, kBad, -1, "");
     }},
    {"DebugMessageInsert: length", GL_INVALID_VALUE,
     [](Context& c) {
         static const std::string text(4096, 'x');
         DebugMessageInsert(c, GL_DEBUG_SOURCE_APPLICATION_KHR, GL_DEBUG_TYPE_OTHER_KHR, 0, GL_DEBUG_SEVERITY_LOW_KHR,
                            4096, text.c_str());
     }},
    {"GetDebugMessageLog: bufSize", GL_INVALID_VALUE,
     [](Context& c) {
         GLchar b[4];
         (void)GetDebugMessageLog(c, 1, -1, nullptr, nullptr, nullptr, nullptr, nullptr, b);
     }},
    {"PushDebugGroup: source", GL_INVALID_ENUM,
     [](Context& c) { PushDebugGroup(c, GL_DEBUG_SOURCE_API_KHR, 0, -1, "g"); }},
    {"PushDebugGroup: too deep", GL_STACK_OVERFLOW_KHR,
     [](Context& c) {
         for (int i = 0; i < 64; ++i)
             PushDebugGroup(c, GL_DEBUG_SOURCE_APPLICATION_KHR, 0, -1, "g");
     }},
    {"PopDebugGroup: the default group", GL_STACK_UNDERFLOW_KHR, [](Context& c) { PopDebugGroup(c); }},
    {"ObjectLabel: identifier", GL_INVALID_ENUM, [](Context& c) { ObjectLabel(c, kBad, 1, -1, "l"); }},
    {"ObjectLabel: name", GL_INVALID_VALUE, [](Context& c) { ObjectLabel(c, GL_BUFFER_KHR, 1, -1, "l"); }},
    {"ObjectLabel: length", GL_INVALID_VALUE,
     [](Context& c) {
         static const std::string text(300, 'x');
         BindBuffer(c, GL_ARRAY_BUFFER, 1);
         ObjectLabel(c, GL_BUFFER_KHR, 1, -1, text.c_str());
     }},
    {"GetObjectLabel: bufSize", GL_INVALID_VALUE,
     [](Context& c) {
         BindBuffer(c, GL_ARRAY_BUFFER, 1);
         GetObjectLabel(c, GL_BUFFER_KHR, 1, -1, nullptr, nullptr);
     }},
    {"ObjectPtrLabel: no sync", GL_INVALID_VALUE, [](Context& c) { ObjectPtrLabel(c, &c, -1, "l"); }},
    {"GetObjectPtrLabel: no sync", GL_INVALID_VALUE,
     [](Context& c) { GetObjectPtrLabel(c, &c, 0, nullptr, nullptr); }},
};
// clang-format on

}  // namespace

TEST_CASE("every command without a program records the error the specification names") {
    for (const Row& row : kRows) {
        CAPTURE(row.what);
        test::Harness h;
        row.call(h.ctx);
        CHECK(h.error() == row.code);
        CHECK(h.error() == GL_NO_ERROR);
        CHECK(h.pipe().violations.empty());
    }
}

TEST_CASE("the first error sticks") {
    test::Harness h;
    Enable(h.ctx, kBad);
    LineWidth(h.ctx, -1);
    CHECK(h.error() == GL_INVALID_ENUM);
    CHECK(h.error() == GL_NO_ERROR);
}

TEST_CASE("a context with KHR_no_error reports only out of memory") {
    ContextConfig config;
    config.no_error = true;
    test::Harness h(config);
    Enable(h.ctx, kBad);
    CHECK(h.error() == GL_NO_ERROR);
    h.ctx.out_of_memory("glTest");
    CHECK(h.error() == GL_OUT_OF_MEMORY);
}

TEST_CASE("commands ignore null pointers if there is nothing to read or write") {
    test::Harness h;
    GenBuffers(h.ctx, 2, nullptr);
    DeleteBuffers(h.ctx, 2, nullptr);
    GetIntegerv(h.ctx, GL_VIEWPORT, nullptr);
    VertexAttrib3fv(h.ctx, 0, nullptr);
    GetVertexAttribfv(h.ctx, 0, GL_CURRENT_VERTEX_ATTRIB, nullptr);
    BindBuffer(h.ctx, GL_ARRAY_BUFFER, 1);
    BufferData(h.ctx, GL_ARRAY_BUFFER, 4, nullptr, GL_STATIC_DRAW);
    BufferSubData(h.ctx, GL_ARRAY_BUFFER, 0, 4, nullptr);
    GetBufferParameteriv(h.ctx, GL_ARRAY_BUFFER, GL_BUFFER_SIZE, nullptr);
    GetBufferPointerv(h.ctx, GL_ARRAY_BUFFER, GL_BUFFER_MAP_POINTER_OES, nullptr);
    DebugMessageInsert(h.ctx, GL_DEBUG_SOURCE_APPLICATION_KHR, GL_DEBUG_TYPE_OTHER_KHR, 0,
                       GL_DEBUG_SEVERITY_LOW_KHR, -1, nullptr);
    InsertEventMarker(h.ctx, 0, nullptr);
    InsertEventMarker(h.ctx, -1, "m");  // markers never record errors
    PushGroupMarker(h.ctx, -1, "m");
    CHECK(h.error() == GL_NO_ERROR);
}

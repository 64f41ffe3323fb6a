// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "tests/api/embed/program.h"

#include <cstdlib>

namespace embed_test {
namespace {

template <class F>
void load(F& f, const char* name) {
    f = reinterpret_cast<F>(terrazzo_get_proc_address(name));
    if (!f) std::abort();
}

void* allocate(void* user, size_t size_B, size_t alignment_B) {
    auto& a = *static_cast<CountingAllocator*>(user);
    const int64_t call = a.calls++;
    if (call == a.fail_at || (a.fail_from >= 0 && call >= a.fail_from)) return nullptr;
    void* p = std::aligned_alloc(alignment_B, (size_B + alignment_B - 1) / alignment_B * alignment_B);
    if (!p) return nullptr;
    a.bytes += int64_t(size_B);
    ++a.blocks;
    return p;
}
void deallocate(void* user, void* memory, size_t size_B, size_t) {
    auto& a = *static_cast<CountingAllocator*>(user);
    a.bytes -= int64_t(size_B);
    --a.blocks;
    std::free(memory);
}

}  // namespace

Gl::Gl() {
#define LOAD(f) load(f, "gl" #f)
    LOAD(Clear);
    LOAD(ClearColor);
    LOAD(GetError);
    LOAD(GetIntegerv);
    LOAD(GetString);
    LOAD(Enable);
    LOAD(Scissor);
    LOAD(CreateShader);
    LOAD(ShaderSource);
    LOAD(CompileShader);
    LOAD(CreateProgram);
    LOAD(AttachShader);
    LOAD(LinkProgram);
    LOAD(UseProgram);
    LOAD(VertexAttribPointer);
    LOAD(EnableVertexAttribArray);
    LOAD(DrawArrays);
    LOAD(GenTextures);
    LOAD(BindTexture);
    LOAD(TexImage2D);
    LOAD(IsTexture);
    LOAD(GenBuffers);
    LOAD(BindBuffer);
    LOAD(BufferData);
#undef LOAD
}

void clear(const Gl& gl, float r, float g, float b, float a) {
    gl.ClearColor(r, g, b, a);
    gl.Clear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
}

bool draw_triangle(const Gl& gl) {
    const char* text[] = {
        "attribute vec2 p; varying vec2 v; void main() { v = p; gl_Position = vec4(p, 0, 1); }",
        "precision highp float; varying vec2 v; void main() { gl_FragColor = vec4(v * 0.5 + 0.5, 0, 1); }"};
    static const float corners[] = {-1, -1, 3, -1, -1, 3};
    const GLuint program = gl.CreateProgram();
    for (int i = 0; i < 2; ++i) {
        const GLuint s = gl.CreateShader(i ? GL_FRAGMENT_SHADER : GL_VERTEX_SHADER);
        gl.ShaderSource(s, 1, &text[i], nullptr);
        gl.CompileShader(s);
        gl.AttachShader(program, s);
    }
    gl.LinkProgram(program);
    gl.UseProgram(program);
    gl.VertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, corners);
    gl.EnableVertexAttribArray(0);
    gl.DrawArrays(GL_TRIANGLES, 0, 3);
    return gl.GetError() == GL_NO_ERROR;
}

terrazzo_allocator CountingAllocator::get() {
    return {allocate, deallocate, this};
}

void Messages::write(void* user, terrazzo_severity, const char* message) {
    auto& m = *static_cast<Messages*>(user);
    std::lock_guard lock(m.mutex);
    m.lines.emplace_back(message);
}

bool Messages::last_has(const char* text) {
    std::lock_guard lock(mutex);
    return !lines.empty() && lines.back().find(text) != std::string::npos;
}

}  // namespace embed_test

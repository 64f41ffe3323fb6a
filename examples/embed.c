/* SPDX-FileCopyrightText: 2026 The Terrazzo authors
 * SPDX-License-Identifier: MIT
 *
 * Terrazzo inside a program: a triangle drawn into the program's own memory, without EGL and without a window
 * system. Writes embed.ppm, or the file that the command line names.
 */
#include <GLES2/gl2.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <terrazzo.h>

#define GL(result, name, ...) \
    result (*name)(__VA_ARGS__) = (result(*)(__VA_ARGS__))terrazzo_get_proc_address(#name)

static void on_message(void* user, terrazzo_severity severity, const char* message) {
    (void)user;
    fprintf(stderr, "terrazzo (%d): %s\n", (int)severity, message);
}

int main(int argc, char** argv) {
    enum { kWidth = 320, kHeight = 200 };
    static uint8_t pixels[kHeight][kWidth][4];
    terrazzo_instance_desc instance_desc = {.struct_size_B = sizeof instance_desc, .log = on_message};
    terrazzo_instance* instance = NULL;
    terrazzo_context* context = NULL;
    terrazzo_target target = {pixels, sizeof pixels[0], kWidth, kHeight, TERRAZZO_RGBA8, TERRAZZO_TOP_DOWN};
    if (terrazzo_create_instance(&instance_desc, &instance) != TERRAZZO_OK ||
        terrazzo_create_context(instance, NULL, &context) != TERRAZZO_OK ||
        terrazzo_set_target(context, &target) != TERRAZZO_OK || terrazzo_make_current(context) != TERRAZZO_OK)
        return 1;

    GL(GLuint, glCreateShader, GLenum);
    GL(void, glShaderSource, GLuint, GLsizei, const char* const*, const GLint*);
    GL(void, glCompileShader, GLuint);
    GL(GLuint, glCreateProgram, void);
    GL(void, glAttachShader, GLuint, GLuint);
    GL(void, glLinkProgram, GLuint);
    GL(void, glUseProgram, GLuint);
    GL(void, glVertexAttribPointer, GLuint, GLint, GLenum, GLboolean, GLsizei, const void*);
    GL(void, glEnableVertexAttribArray, GLuint);
    GL(void, glClear, GLbitfield);
    GL(void, glDrawArrays, GLenum, GLint, GLsizei);

    const char* text[] = {
        "attribute vec2 p; varying vec2 v; void main() { v = p; gl_Position = vec4(p, 0, 1); }",
        "precision mediump float; varying vec2 v; void main() { gl_FragColor = vec4(v + .5, .5, 1); }"};
    const GLfloat corners[] = {-.8f, -.8f, .8f, -.8f, 0, .8f};
    GLuint program = glCreateProgram();
    for (int i = 0; i < 2; ++i) {
        GLuint shader = glCreateShader(i ? GL_FRAGMENT_SHADER : GL_VERTEX_SHADER);
        glShaderSource(shader, 1, &text[i], NULL);
        glCompileShader(shader);
        glAttachShader(program, shader);
    }
    glLinkProgram(program);
    glUseProgram(program);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, corners);
    glEnableVertexAttribArray(0);
    glClear(GL_COLOR_BUFFER_BIT);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    terrazzo_result done = terrazzo_finish(context); /* now `pixels` is the picture */
    terrazzo_destroy_context(context);
    terrazzo_destroy_instance(instance);

    FILE* file = fopen(argc > 1 ? argv[1] : "embed.ppm", "wb");
    if (done != TERRAZZO_OK || !file) return 1;
    fprintf(file, "P6 %d %d 255\n", kWidth, kHeight);
    for (int i = 0; i < kWidth * kHeight; ++i)
        fwrite(pixels[i / kWidth][i % kWidth], 3, 1, file);
    return fclose(file) != 0;
}

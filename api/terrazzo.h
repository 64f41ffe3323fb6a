/* SPDX-FileCopyrightText: 2026 The Terrazzo authors
 * SPDX-License-Identifier: MIT
 *
 * Terrazzo inside a program, without EGL and without a window system: OpenGL ES that draws into the
 * program's own memory. Instances know nothing of each other; a program may have any number of them, and of
 * contexts.
 *
 *     terrazzo_create_instance -> terrazzo_create_context -> terrazzo_set_target -> terrazzo_make_current
 *     -> gl* commands -> terrazzo_finish: the frame is in the memory -> ... -> terrazzo_destroy_*
 *
 * Link with libterrazzo (pkg-config: terrazzo). The gl* commands come from terrazzo_get_proc_address;
 * libGLESv2.so.2 of the same build has them too, and a static libterrazzo.a has them itself.
 *
 * Threads: an instance may be used from any thread at any time; a context by one thread at a time. No
 * function aborts, throws, or changes anything where it fails; what went wrong is told to the log sink. Files
 * are written, and settings read from the environment, only where a member below says so.
 */
#ifndef TERRAZZO_H
#define TERRAZZO_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define TERRAZZO_API __attribute__((visibility("default")))
#else
#define TERRAZZO_API
#endif

typedef struct terrazzo_instance terrazzo_instance;
typedef struct terrazzo_context terrazzo_context;

typedef enum terrazzo_result {
    TERRAZZO_OK = 0,
    TERRAZZO_BAD_PARAMETER = 1, /* a null pointer, an unknown enumerator, an impossible size */
    TERRAZZO_BUSY = 2, /* the context is current on another thread, or an EGL context is on this one */
    TERRAZZO_OUT_OF_MEMORY = 3 /* the allocator, malloc, or the system refused */
} terrazzo_result;

typedef enum terrazzo_severity {
    TERRAZZO_INFO = 0,
    TERRAZZO_PERFORMANCE = 1,
    TERRAZZO_WARNING = 2,
    TERRAZZO_ERROR = 3
} terrazzo_severity;

/* One message without a line's end. Called from any thread, also from several at once; must not call
 * Terrazzo. */
typedef void (*terrazzo_log)(void* user, terrazzo_severity severity, const char* message);

/* Where memory comes from. Both are called from any thread, also from several at once; must not call
 * Terrazzo. From it: the instance and its contexts, the pixels of all images (textures, renderbuffers, the
 * frame), the contents of all buffers, and what frames record until they are drawn. Not from it, but from
 * malloc and operator new, since the libraries beneath have no hook or the pieces are small: the shader
 * compiler (glslang, LLVM and the machine code it makes), GL's objects and their tables, and the stacks of
 * threads. All of it is given back with the instance, but for the tables that glslang and LLVM keep for the
 * process from their first use on. */
typedef struct terrazzo_allocator {
    /* `alignment` is a power of two. NULL: out of memory. */
    void* (*allocate)(void* user, size_t size_B, size_t alignment_B);
    /* With the size and alignment that it was allocated with. */
    void (*deallocate)(void* user, void* memory, size_t size_B, size_t alignment_B);
    void* user;
} terrazzo_allocator;

/* Threads that the program lends. `run` must have task(arg) called once, on another thread, or at once on
 * this one; it is called from any thread. A task returns when there is nothing left to draw; destroying the
 * instance waits for those that have begun or will begin. */
typedef struct terrazzo_executor {
    void (*run)(void* user, void (*task)(void* arg), void* arg);
    void* user;
} terrazzo_executor;

typedef struct terrazzo_instance_desc {
    size_t struct_size_B; /* sizeof(terrazzo_instance_desc): tells which members the program knows */
    /* Copied; must work until the last context and the instance are destroyed. NULL: malloc and mmap. */
    const terrazzo_allocator* allocator;
    /* How many threads draw at most, the caller's included; 1: no thread is ever started. 0: what
     * TERRAZZO_THREADS says, else what the affinity mask and the cgroup's quota allow. They start with the
     * first large frame. */
    uint32_t threads;
    /* 1: keep compiled programs in memory and on disk, where TERRAZZO_SHADER_CACHE says. 0: don't. */
    uint32_t shader_cache;
    /* NULL: silence. GL errors are told as well, with the rule that was broken. */
    terrazzo_log log;
    void* log_user;
    /* Copied. Used in place of threads of our own, of which then none is started. NULL: none. */
    const terrazzo_executor* executor;
} terrazzo_instance_desc;

typedef struct terrazzo_context_desc {
    size_t struct_size_B;    /* sizeof(terrazzo_context_desc) */
    terrazzo_context* share; /* shares its textures, buffers and programs; of the same instance. NULL: none */
    uint32_t depth_bits;     /* of the default framebuffer: 0, 16 or 24 */
    uint32_t stencil_bits;   /* 0 or 8 */
    uint32_t robust;         /* 1: GL_KHR_robustness' robust buffer access, and loss of context is reported */
    uint32_t debug;          /* 1: GL_DEBUG_OUTPUT starts enabled (GL_KHR_debug) */
} terrazzo_context_desc;

typedef enum terrazzo_format {
    TERRAZZO_RGBA8 = 0, /* bytes in memory: red, green, blue, alpha */
    TERRAZZO_BGRA8 = 1  /* blue, green, red, alpha: 0xAARRGGBB in a little-endian word */
} terrazzo_format;

typedef enum terrazzo_origin {
    TERRAZZO_TOP_DOWN =
        0, /* the first row in memory is the top of the picture, as files and screens have it */
    TERRAZZO_BOTTOM_UP = 1 /* it is the bottom, as GL counts */
} terrazzo_origin;

/* Memory for frames: the default framebuffer. Written by terrazzo_finish alone, which copies the frame into
 * it. */
typedef struct terrazzo_target {
    void* pixels;
    size_t stride_B; /* from a row to the next: at least 4 * width_px */
    uint32_t width_px, height_px;
    terrazzo_format format;
    terrazzo_origin origin;
} terrazzo_target;

/* On success *instance is the new instance. `desc` may be NULL: all members 0. */
TERRAZZO_API terrazzo_result terrazzo_create_instance(const terrazzo_instance_desc* desc,
                                                      terrazzo_instance** instance);
/* Its threads end, and its memory is given back, here, or with its last context where that is later. NULL:
 * nothing. */
TERRAZZO_API void terrazzo_destroy_instance(terrazzo_instance* instance);

/* A context of the highest version of OpenGL ES that the device has (3.2 on the CPU), without a target: until
 * it has one, only framebuffer objects can be drawn to. */
TERRAZZO_API terrazzo_result terrazzo_create_context(terrazzo_instance* instance,
                                                     const terrazzo_context_desc* desc,
                                                     terrazzo_context** context);
/* A context that is current on this thread stops being so; one that is current on another lives until it is
 * not. */
TERRAZZO_API void terrazzo_destroy_context(terrazzo_context* context);

/* Where terrazzo_finish puts frames from now on; copied, but for the pixels. NULL: nowhere. What was drawn
 * stays while size and format stay, so that a program may swap between its buffers; else the new framebuffer
 * is transparent black. */
TERRAZZO_API terrazzo_result terrazzo_set_target(terrazzo_context* context, const terrazzo_target* target);

/* This thread's gl* commands go to that context; NULL: to none, they are ignored then. */
TERRAZZO_API terrazzo_result terrazzo_make_current(terrazzo_context* context);

/* Waits until all commands of the context are done, and copies the frame to the target, if there is one. */
TERRAZZO_API terrazzo_result terrazzo_finish(terrazzo_context* context);

/* The gl* (or egl*) function of that name, or NULL. The same for all contexts and instances. */
TERRAZZO_API void (*terrazzo_get_proc_address(const char* name))(void);

#ifdef __cplusplus
}
#endif

#endif

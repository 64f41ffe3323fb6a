/* SPDX-FileCopyrightText: 2026 The Terrazzo authors
 * SPDX-License-Identifier: MIT
 *
 * Embeds Terrazzo in a program, without EGL and window systems: OpenGL ES that draws into the program's own
 * memory. A program may have any number of instances, which are independent, and of contexts.
 *
 *     terrazzo_create_instance -> terrazzo_create_context -> terrazzo_set_target -> terrazzo_make_current
 *     -> gl* commands -> terrazzo_finish: the frame is in the memory -> ... -> terrazzo_destroy_*
 *
 * Link with libterrazzo (pkg-config: terrazzo). terrazzo_get_proc_address returns the gl* commands;
 * libGLESv2.so.2 of the same build and a static libterrazzo.a have them, too.
 *
 * Threads: an instance may be used from any thread at any time; a context by one thread at a time. No
 * function aborts or throws. A function that fails changes nothing, and reports the reason to the log
 * function. Files are written, and the environment is read, only where a member below says so.
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
    TERRAZZO_BAD_PARAMETER = 1, /* a null pointer, an unknown enumerator, an invalid size */
    TERRAZZO_BUSY = 2, /* the context is current on another thread, or an EGL context is on this one */
    TERRAZZO_OUT_OF_MEMORY = 3 /* of the allocator, malloc, or the system */
} terrazzo_result;

typedef enum terrazzo_severity {
    TERRAZZO_INFO = 0,
    TERRAZZO_PERFORMANCE = 1,
    TERRAZZO_WARNING = 2,
    TERRAZZO_ERROR = 3
} terrazzo_severity;

/* Receives one message without a line end. Called on any thread, also on several at once; must not call
 * Terrazzo. */
typedef void (*terrazzo_log)(void* user, terrazzo_severity severity, const char* message);

/* Allocates memory. Both functions are called on any thread, also on several at once, and must not call
 * Terrazzo. Allocated with them: the instance and its contexts, the pixels of all images (textures,
 * renderbuffers, the frame), the contents of all buffers, and recorded commands of frames. Allocated with
 * malloc and operator new instead, since the libraries below have no hook or the pieces are small: the shader
 * compiler (glslang, LLVM and the machine code), GL's objects and their tables, and the stacks of threads.
 * All memory is freed with the instance, except tables that glslang and LLVM keep for the process after their
 * first use. */
typedef struct terrazzo_allocator {
    /* `alignment` is a power of two. NULL: out of memory. */
    void* (*allocate)(void* user, size_t size_B, size_t alignment_B);
    /* The size and alignment are those of the allocation. */
    void (*deallocate)(void* user, void* memory, size_t size_B, size_t alignment_B);
    void* user;
} terrazzo_allocator;

/* Threads of the program. `run` must cause one call of task(arg), on another thread, or immediately on this
 * one. It may be called on any thread. A task returns when there is nothing left to draw. Destroying the
 * instance waits for tasks that are running or will run. */
typedef struct terrazzo_executor {
    void (*run)(void* user, void (*task)(void* arg), void* arg);
    void* user;
} terrazzo_executor;

typedef struct terrazzo_instance_desc {
    size_t struct_size_B; /* sizeof(terrazzo_instance_desc), which tells the members that exist */
    /* Copied; must work until the last context and the instance are destroyed. NULL: malloc and mmap. */
    const terrazzo_allocator* allocator;
    /* The largest number of threads that draw, including the caller's; 1: no thread is started. 0: that of
     * TERRAZZO_THREADS, otherwise that of the affinity mask and the cgroup's quota. They start with the first
     * large frame. */
    uint32_t threads;
    /* 1: keep compiled programs in memory and on disk, as TERRAZZO_SHADER_CACHE says. 0: do not. */
    uint32_t shader_cache;
    /* NULL: no messages. GL errors are reported as well, with the broken rule. */
    terrazzo_log log;
    void* log_user;
    /* Copied. Replaces Terrazzo's own threads, which are not started then. NULL: none. */
    const terrazzo_executor* executor;
} terrazzo_instance_desc;

typedef struct terrazzo_context_desc {
    size_t struct_size_B; /* sizeof(terrazzo_context_desc) */
    terrazzo_context*
        share;             /* whose textures, buffers and programs are shared; of this instance. NULL: none */
    uint32_t depth_bits;   /* of the default framebuffer: 0, 16 or 24 */
    uint32_t stencil_bits; /* 0 or 8 */
    uint32_t robust;       /* 1: GL_KHR_robustness: robust buffer access; context loss is reported */
    uint32_t debug;        /* 1: GL_DEBUG_OUTPUT starts enabled (GL_KHR_debug) */
} terrazzo_context_desc;

typedef enum terrazzo_format {
    TERRAZZO_RGBA8 = 0, /* bytes in memory: red, green, blue, alpha */
    TERRAZZO_BGRA8 = 1  /* blue, green, red, alpha: 0xAARRGGBB in a little-endian word */
} terrazzo_format;

typedef enum terrazzo_origin {
    TERRAZZO_TOP_DOWN = 0, /* the first row in memory is the top row, as in files and on screens */
    TERRAZZO_BOTTOM_UP = 1 /* it is the bottom row, as in GL */
} terrazzo_origin;

/* Memory for frames of the default framebuffer. Only terrazzo_finish writes to it: it copies the frame. */
typedef struct terrazzo_target {
    void* pixels;
    size_t stride_B; /* from a row to the next: at least 4 * width_px */
    uint32_t width_px, height_px;
    terrazzo_format format;
    terrazzo_origin origin;
} terrazzo_target;

/* On success *instance is the new instance. `desc` may be NULL, which means that all members are 0. */
TERRAZZO_API terrazzo_result terrazzo_create_instance(const terrazzo_instance_desc* desc,
                                                      terrazzo_instance** instance);
/* Ends its threads and frees its memory, now or later with its last context. NULL: does nothing. */
TERRAZZO_API void terrazzo_destroy_instance(terrazzo_instance* instance);

/* A context of the device's highest version of OpenGL ES (3.2 on the CPU). It has no target: until it gets
 * one, only framebuffer objects can be drawn to. */
TERRAZZO_API terrazzo_result terrazzo_create_context(terrazzo_instance* instance,
                                                     const terrazzo_context_desc* desc,
                                                     terrazzo_context** context);
/* A context that is current on this thread is released; one that is current on another thread lives until it
 * is released there. */
TERRAZZO_API void terrazzo_destroy_context(terrazzo_context* context);

/* The target to which terrazzo_finish copies frames from now on. The description is copied, the pixels are
 * not. NULL: no target. If size and format are the same as before, the framebuffer keeps its contents, so a
 * program may alternate between its buffers. Otherwise the framebuffer becomes transparent black. */
TERRAZZO_API terrazzo_result terrazzo_set_target(terrazzo_context* context, const terrazzo_target* target);

/* Makes the context current on this thread, for its gl* commands. NULL: none; commands are then ignored. */
TERRAZZO_API terrazzo_result terrazzo_make_current(terrazzo_context* context);

/* Waits until all commands of the context are complete, and copies the frame to the target, if any. */
TERRAZZO_API terrazzo_result terrazzo_finish(terrazzo_context* context);

/* The gl* (or egl*) function with this name, or NULL. The same for all contexts and instances. */
TERRAZZO_API void (*terrazzo_get_proc_address(const char* name))(void);

#ifdef __cplusplus
}
#endif

#endif

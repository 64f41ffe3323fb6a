// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// EXT_memory_object, EXT_semaphore and their _fd extensions, on TERRAZZO_DEVICE: unrelated contexts, and two
// processes, use one memory in turn.
#include <GLES3/gl32.h>
#include <spawn.h>
#include <sys/eventfd.h>
#include <sys/wait.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>

#include "tests/api/egl/shared_memory.h"

using namespace fixture;

namespace {

using Bytes = std::vector<unsigned char>;
constexpr GLsizei kSize = 32;
constexpr size_t kMemory_B = 1 << 20, kOffset_B = 65536;

/// GL's functions, which are the same in all contexts.
struct Functions {
#define TZ_GL(type, name) type name = proc<type>("gl" #name "EXT")
    TZ_GL(PFNGLCREATEMEMORYOBJECTSEXTPROC, CreateMemoryObjects);
    TZ_GL(PFNGLDELETEMEMORYOBJECTSEXTPROC, DeleteMemoryObjects);
    TZ_GL(PFNGLISMEMORYOBJECTEXTPROC, IsMemoryObject);
    TZ_GL(PFNGLMEMORYOBJECTPARAMETERIVEXTPROC, MemoryObjectParameteriv);
    TZ_GL(PFNGLGETMEMORYOBJECTPARAMETERIVEXTPROC, GetMemoryObjectParameteriv);
    TZ_GL(PFNGLIMPORTMEMORYFDEXTPROC, ImportMemoryFd);
    TZ_GL(PFNGLTEXSTORAGEMEM2DEXTPROC, TexStorageMem2D);
    TZ_GL(PFNGLTEXSTORAGEMEM3DEXTPROC, TexStorageMem3D);
    TZ_GL(PFNGLBUFFERSTORAGEMEMEXTPROC, BufferStorageMem);
    TZ_GL(PFNGLGENSEMAPHORESEXTPROC, GenSemaphores);
    TZ_GL(PFNGLDELETESEMAPHORESEXTPROC, DeleteSemaphores);
    TZ_GL(PFNGLISSEMAPHOREEXTPROC, IsSemaphore);
    TZ_GL(PFNGLIMPORTSEMAPHOREFDEXTPROC, ImportSemaphoreFd);
    TZ_GL(PFNGLWAITSEMAPHOREEXTPROC, WaitSemaphore);
    TZ_GL(PFNGLSIGNALSEMAPHOREEXTPROC, SignalSemaphore);
    TZ_GL(PFNGLGETSEMAPHOREPARAMETERUI64VEXTPROC, GetSemaphoreParameterui64v);
    TZ_GL(PFNGLGETUNSIGNEDBYTEVEXTPROC, GetUnsignedBytev);
    TZ_GL(PFNGLGETUNSIGNEDBYTEI_VEXTPROC, GetUnsignedBytei_v);
#undef TZ_GL
};

struct External : Current, Functions {
    int version = 20;
    EGLContext other = context(cfg);
    External() {
        const std::string all = reinterpret_cast<const char*>(glGetString(GL_EXTENSIONS));
        for (const char* name : {"GL_EXT_memory_object ", "GL_EXT_memory_object_fd ", "GL_EXT_semaphore ",
                                 "GL_EXT_semaphore_fd "})
            REQUIRE((all + " ").find(name) != std::string::npos);
        const std::string text = reinterpret_cast<const char*>(glGetString(GL_VERSION));
        version = (text[10] - '0') * 10 + (text[12] - '0');
    }
    void use(EGLContext c) { REQUIRE(eglMakeCurrent(dpy, surface, surface, c)); }
    GLuint memory_of(int fd, GLuint64 size_B = kMemory_B) {
        GLuint m = 0;
        CreateMemoryObjects(1, &m);
        ImportMemoryFd(m, size_B, GL_HANDLE_TYPE_OPAQUE_FD_EXT, fd);
        REQUIRE(glGetError() == GL_NO_ERROR);
        return m;
    }
    /// A texture in the memory, attached to a framebuffer.
    GLuint target(GLuint memory, GLuint64 offset_B = kOffset_B) {
        GLuint t = 0, fbo = 0;
        glGenTextures(1, &t);
        glBindTexture(GL_TEXTURE_2D, t);
        TexStorageMem2D(GL_TEXTURE_2D, 1, GL_RGBA8, kSize, kSize, memory, offset_B);
        REQUIRE(glGetError() == GL_NO_ERROR);
        glGenFramebuffers(1, &fbo);
        glBindFramebuffer(GL_FRAMEBUFFER, fbo);
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, t, 0);
        REQUIRE(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE);
        return t;
    }
    void clear(float r, float g, float b) {
        glClearColor(r, g, b, 1);
        glClear(GL_COLOR_BUFFER_BIT);
    }
    GLuint semaphore_of(int fd) {
        GLuint s = 0;
        GenSemaphores(1, &s);
        CHECK(!IsSemaphore(s));
        ImportSemaphoreFd(s, GL_HANDLE_TYPE_OPAQUE_FD_EXT, fd);
        REQUIRE(glGetError() == GL_NO_ERROR);
        CHECK(IsSemaphore(s));
        return s;
    }
};

}  // namespace

TEST_CASE_FIXTURE(External, "memory object: unrelated contexts see one texture") {
    SealedMemory memory(kMemory_B);
    const GLuint first = memory_of(memory.duplicate());
    CHECK(IsMemoryObject(first));
    target(first);
    clear(0, 0, 1);
    glFinish();
    use(other);
    const GLuint second = memory_of(memory.duplicate());
    const GLuint t = target(second);
    CHECK(pixel(31, 31) == Bytes{0, 0, 255, 255});
    const unsigned char green[4] = {0, 255, 0, 255};
    glTexSubImage2D(GL_TEXTURE_2D, 0, 3, 4, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, green);
    glFinish();
    DeleteMemoryObjects(1, &second);
    CHECK(!IsMemoryObject(second));
    CHECK(pixel(3, 4) == Bytes{0, 255, 0, 255});  // the texture keeps the memory alive
    use(ctx);
    CHECK(pixel(3, 4) == Bytes{0, 255, 0, 255});
    CHECK(pixel(4, 4) == Bytes{0, 0, 255, 255});
    // The bytes before the offset and far after it are unchanged.
    CHECK(memory.word(kOffset_B - 4) == 0);
    CHECK(memory.word(kMemory_B - 4) == 0);
    CHECK(t);
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE_FIXTURE(External, "memory object: linear textures are stored in rows") {
    SealedMemory memory(kMemory_B);
    const GLuint m = memory_of(memory.duplicate());
    GLuint t = 0;
    GLint value = 0;
    glGenTextures(1, &t);
    glBindTexture(GL_TEXTURE_2D, t);
    glGetTexParameteriv(GL_TEXTURE_2D, GL_TEXTURE_TILING_EXT, &value);
    CHECK(value == GL_OPTIMAL_TILING_EXT);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_TILING_EXT, GL_NEAREST);
    CHECK(glGetError() == GL_INVALID_ENUM);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_TILING_EXT, GL_LINEAR_TILING_EXT);
    glGetTexParameteriv(GL_TEXTURE_2D, GL_TEXTURE_TILING_EXT, &value);
    CHECK(value == GL_LINEAR_TILING_EXT);
    // On every device 64 pixels of 4 bytes are a row without padding.
    TexStorageMem2D(GL_TEXTURE_2D, 1, GL_RGBA8, 64, 8, m, 4096);
    CHECK(glGetError() == GL_NO_ERROR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_TILING_EXT, GL_OPTIMAL_TILING_EXT);
    CHECK(glGetError() == GL_INVALID_OPERATION);
    const unsigned char texel[4] = {1, 2, 3, 4};
    glTexSubImage2D(GL_TEXTURE_2D, 0, 5, 6, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, texel);
    glFinish();
    CHECK(memory.word(4096 + 6 * 256 + 5 * 4) == 0x04030201);
    if (version >= 30) {
        GLint count = 0, list[4] = {};
        glGetInternalformativ(GL_TEXTURE_2D, GL_RGBA8, GL_NUM_TILING_TYPES_EXT, 1, &count);
        glGetInternalformativ(GL_TEXTURE_2D, GL_RGBA8, GL_TILING_TYPES_EXT, 4, list);
        CHECK(count == 2);
        CHECK(list[0] == GL_OPTIMAL_TILING_EXT);
        CHECK(list[1] == GL_LINEAR_TILING_EXT);
        glGetInternalformativ(GL_TEXTURE_2D, GL_DEPTH_COMPONENT16, GL_NUM_TILING_TYPES_EXT, 1, &count);
        CHECK(count == 1);
    }
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE_FIXTURE(External, "memory object: levels and layers") {
    if (version < 30) return;
    SealedMemory memory(kMemory_B);
    const auto array = [&](GLuint m) {
        GLuint t = 0;
        glGenTextures(1, &t);
        glBindTexture(GL_TEXTURE_2D_ARRAY, t);
        TexStorageMem3D(GL_TEXTURE_2D_ARRAY, 3, GL_RGBA8, 20, 12, 4, m, kOffset_B);
        REQUIRE(glGetError() == GL_NO_ERROR);
        return t;
    };
    array(memory_of(memory.duplicate()));
    const unsigned char texel[4] = {9, 8, 7, 6};
    glTexSubImage3D(GL_TEXTURE_2D_ARRAY, 2, 4, 2, 3, 1, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, texel);
    glFinish();
    use(other);
    const GLuint t = array(memory_of(memory.duplicate()));
    GLuint fbo = 0;
    glGenFramebuffers(1, &fbo);
    glBindFramebuffer(GL_FRAMEBUFFER, fbo);
    glFramebufferTextureLayer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, t, 2, 3);
    REQUIRE(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE);
    CHECK(pixel(4, 2) == Bytes{9, 8, 7, 6});
    CHECK(pixel(3, 2) == Bytes{0, 0, 0, 0});
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE_FIXTURE(External, "memory object: a buffer in it is shared") {
    SealedMemory memory(kMemory_B);
    const GLuint m = memory_of(memory.duplicate());
    GLuint b = 0;
    glGenBuffers(1, &b);
    glBindBuffer(GL_ARRAY_BUFFER, b);
    BufferStorageMem(GL_ARRAY_BUFFER, 1024, m, 4096);
    CHECK(glGetError() == GL_NO_ERROR);
    // Only the device and other contexts write it.
    const float zeros[4] = {};
    glBufferSubData(GL_ARRAY_BUFFER, 0, sizeof zeros, zeros);
    CHECK(glGetError() == GL_INVALID_OPERATION);
    glBufferData(GL_ARRAY_BUFFER, sizeof zeros, zeros, GL_STATIC_DRAW);
    CHECK(glGetError() == GL_INVALID_OPERATION);
    CHECK(!proc<PFNGLMAPBUFFERRANGEEXTPROC>("glMapBufferRangeEXT")(GL_ARRAY_BUFFER, 0, 16,
                                                                   GL_MAP_READ_BIT_EXT));
    CHECK(glGetError() == GL_INVALID_OPERATION);
    // Draws use vertices that the CPU writes without a GL call.
    const float corners[] = {-1, -1, 3, -1, -1, 3};
    std::memcpy(memory.bytes + 4096, corners, sizeof corners);
    const char* const texts[] = {"attribute vec2 p; void main() { gl_Position = vec4(p, 0, 1); }",
                                 "precision mediump float; void main() { gl_FragColor = vec4(0, 1, 0, 1); }"};
    const GLuint p = glCreateProgram();
    for (int i = 0; i < 2; ++i) {
        const GLuint s = glCreateShader(i ? GL_FRAGMENT_SHADER : GL_VERTEX_SHADER);
        glShaderSource(s, 1, &texts[i], nullptr);
        glCompileShader(s);
        glAttachShader(p, s);
    }
    glBindAttribLocation(p, 0, "p");
    glLinkProgram(p);
    glUseProgram(p);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, nullptr);
    glEnableVertexAttribArray(0);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    CHECK(pixel(8, 8) == Bytes{0, 255, 0, 255});
    if (version >= 30) {
        // A copy, and pixels that are read into it, must be written to this memory, not to new storage.
        const unsigned words[4] = {1, 2, 3, 4};
        GLuint from = 0;
        glGenBuffers(1, &from);
        glBindBuffer(GL_COPY_READ_BUFFER, from);
        glBufferData(GL_COPY_READ_BUFFER, sizeof words, words, GL_STATIC_DRAW);
        glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_ARRAY_BUFFER, 0, 512, sizeof words);
        glBindBuffer(GL_PIXEL_PACK_BUFFER, b);
        glReadPixels(0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, reinterpret_cast<void*>(uintptr_t(768)));
        glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
        glFinish();
        CHECK(memory.word(4096 + 512 + 8) == 3);
        CHECK(memory.word(4096 + 768) == 0xff00ff00);
    }
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE_FIXTURE(External, "memory object: errors") {
    SealedMemory memory(kMemory_B);
    GLuint m = 0, t = 0;
    GLint value = -1;
    CreateMemoryObjects(-1, &m);
    CHECK(glGetError() == GL_INVALID_VALUE);
    CreateMemoryObjects(1, &m);
    GetMemoryObjectParameteriv(m, GL_DEDICATED_MEMORY_OBJECT_EXT, &value);
    CHECK(value == GL_FALSE);
    value = GL_TRUE;
    MemoryObjectParameteriv(m, GL_DEDICATED_MEMORY_OBJECT_EXT, &value);
    CHECK(glGetError() == GL_NO_ERROR);
    MemoryObjectParameteriv(m, GL_PROTECTED_MEMORY_OBJECT_EXT, &value);
    CHECK(glGetError() == GL_INVALID_ENUM);
    MemoryObjectParameteriv(999, GL_DEDICATED_MEMORY_OBJECT_EXT, &value);
    CHECK(glGetError() == GL_INVALID_VALUE);
    glGenTextures(1, &t);
    glBindTexture(GL_TEXTURE_2D, t);
    const auto storage = [&](GLuint object, GLuint64 offset_B, GLsizei size = 16) {
        TexStorageMem2D(GL_TEXTURE_2D, 1, GL_RGBA8, size, size, object, offset_B);
        return glGetError();
    };
    CHECK(storage(m, 0) == GL_INVALID_OPERATION);  // there is no memory yet
    ImportMemoryFd(m, kMemory_B, GL_TEXTURE_2D, memory.fd);
    CHECK(glGetError() == GL_INVALID_ENUM);
    ImportMemoryFd(m, kMemory_B, GL_HANDLE_TYPE_OPAQUE_FD_EXT, -1);
    CHECK(glGetError() == GL_INVALID_VALUE);
    ImportMemoryFd(m, kMemory_B + 4096, GL_HANDLE_TYPE_OPAQUE_FD_EXT, memory.fd);
    CHECK(glGetError() == GL_INVALID_VALUE);
    ImportMemoryFd(m, 0, GL_HANDLE_TYPE_OPAQUE_FD_EXT, memory.fd);
    CHECK(glGetError() == GL_INVALID_VALUE);
    const int event = eventfd(0, EFD_CLOEXEC);
    ImportMemoryFd(m, kMemory_B, GL_HANDLE_TYPE_OPAQUE_FD_EXT, event);
    CHECK(glGetError() == GL_INVALID_VALUE);
    CHECK(close(event) == 0);  // the caller still owns it
    {
        SealedMemory sealed(kMemory_B, SealedMemory::Seals::More);
        sealed.seal_writes();
        ImportMemoryFd(m, kMemory_B, GL_HANDLE_TYPE_OPAQUE_FD_EXT, sealed.fd);
        const GLenum error = glGetError();  // a virtual GPU cannot import it at all
        CHECK((error == GL_INVALID_OPERATION || error == GL_INVALID_VALUE));
    }
    ImportMemoryFd(m, kMemory_B / 2, GL_HANDLE_TYPE_OPAQUE_FD_EXT, memory.duplicate());
    CHECK(glGetError() == GL_NO_ERROR);
    ImportMemoryFd(m, kMemory_B / 2, GL_HANDLE_TYPE_OPAQUE_FD_EXT, memory.fd);
    CHECK(glGetError() == GL_INVALID_OPERATION);
    MemoryObjectParameteriv(m, GL_DEDICATED_MEMORY_OBJECT_EXT, &value);
    CHECK(glGetError() == GL_INVALID_OPERATION);
    CHECK(storage(0, 0) == GL_INVALID_VALUE);
    CHECK(storage(999, 0) == GL_INVALID_VALUE);
    CHECK(storage(m, 12) == GL_INVALID_VALUE);         // not aligned
    CHECK(storage(m, kMemory_B) == GL_INVALID_VALUE);  // after the object's end, but inside the memory
    CHECK(storage(m, kMemory_B / 2 - 64) == GL_INVALID_VALUE);  // ends outside the object
    CHECK(storage(m, ~0ull - 4095) == GL_INVALID_VALUE);
    CHECK(storage(m, 0, 1024) == GL_INVALID_VALUE);
    CHECK(storage(m, 0) == GL_NO_ERROR);
    CHECK(storage(m, 0) == GL_INVALID_OPERATION);  // immutable
    GLuint b = 0;
    glGenBuffers(1, &b);
    glBindBuffer(GL_ARRAY_BUFFER, b);
    BufferStorageMem(GL_ARRAY_BUFFER, 0, m, 0);
    CHECK(glGetError() == GL_INVALID_VALUE);
    BufferStorageMem(GL_ARRAY_BUFFER, GLsizeiptr(kMemory_B), m, 0);
    CHECK(glGetError() == GL_INVALID_VALUE);
    BufferStorageMem(GL_ARRAY_BUFFER, 64, 0, 0);
    CHECK(glGetError() == GL_INVALID_VALUE);
    BufferStorageMem(GL_TEXTURE_2D, 64, m, 0);
    CHECK(glGetError() == GL_INVALID_ENUM);
}

TEST_CASE_FIXTURE(External, "memory object: devices and drivers have names") {
    GLint count = 0;
    unsigned char device[GL_UUID_SIZE_EXT] = {}, driver[GL_UUID_SIZE_EXT] = {}, again[GL_UUID_SIZE_EXT] = {};
    glGetIntegerv(GL_NUM_DEVICE_UUIDS_EXT, &count);
    CHECK(count == 1);
    GetUnsignedBytei_v(GL_DEVICE_UUID_EXT, 0, device);
    GetUnsignedBytev(GL_DRIVER_UUID_EXT, driver);
    CHECK(glGetError() == GL_NO_ERROR);
    CHECK(std::memcmp(device, driver, sizeof device) != 0);
    use(other);
    GetUnsignedBytei_v(GL_DEVICE_UUID_EXT, 0, again);
    CHECK(std::memcmp(device, again, sizeof device) == 0);
    GetUnsignedBytei_v(GL_DEVICE_UUID_EXT, 1, again);
    CHECK(glGetError() == GL_INVALID_VALUE);
    GetUnsignedBytei_v(GL_DRIVER_UUID_EXT, 0, again);
    CHECK(glGetError() == GL_INVALID_ENUM);
    GetUnsignedBytev(GL_DEVICE_UUID_EXT, again);
    CHECK(glGetError() == GL_INVALID_ENUM);
}

TEST_CASE_FIXTURE(External, "semaphore: a wait consumes the signal") {
    const int event = eventfd(0, EFD_CLOEXEC);
    const GLuint s = semaphore_of(dup(event));
    const auto signals = [&] {
        eventfd_t n = 0;
        const int flags = fcntl(event, F_GETFL);
        fcntl(event, F_SETFL, flags | O_NONBLOCK);
        const bool some = eventfd_read(event, &n) == 0;
        fcntl(event, F_SETFL, flags);
        return some ? n : 0;
    };
    clear(1, 0, 0);
    SignalSemaphore(s, 0, nullptr, 0, nullptr, nullptr);
    CHECK(signals() == 1);
    SignalSemaphore(s, 0, nullptr, 0, nullptr, nullptr);
    WaitSemaphore(s, 0, nullptr, 0, nullptr, nullptr);
    CHECK(signals() == 0);
    // Another thread signals during the wait.
    std::thread signaller([&] { eventfd_write(event, 1); });
    WaitSemaphore(s, 0, nullptr, 0, nullptr, nullptr);
    signaller.join();
    CHECK(signals() == 0);
    CHECK(glGetError() == GL_NO_ERROR);
    DeleteSemaphores(1, &s);
    CHECK(!IsSemaphore(s));
    close(event);
}

TEST_CASE_FIXTURE(External, "semaphore: a sync file is waited for once") {
    if (!std::strstr(eglQueryString(dpy, EGL_EXTENSIONS), "EGL_ANDROID_native_fence_sync")) return;
    const auto create = proc<PFNEGLCREATESYNCKHRPROC>("eglCreateSyncKHR");
    glClear(GL_COLOR_BUFFER_BIT);
    EGLSyncKHR sync = create(dpy, EGL_SYNC_NATIVE_FENCE_ANDROID, nullptr);
    REQUIRE(sync != EGL_NO_SYNC);
    const int fd = proc<PFNEGLDUPNATIVEFENCEFDANDROIDPROC>("eglDupNativeFenceFDANDROID")(dpy, sync);
    REQUIRE(fd >= 0);
    use(other);
    const GLuint s = semaphore_of(fd);
    WaitSemaphore(s, 0, nullptr, 0, nullptr, nullptr);
    SignalSemaphore(s, 0, nullptr, 0, nullptr, nullptr);  // for this share group
    WaitSemaphore(s, 0, nullptr, 0, nullptr, nullptr);
    glFinish();
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE_FIXTURE(External, "semaphore: errors") {
    GLuint s = 0;
    GenSemaphores(-1, &s);
    CHECK(glGetError() == GL_INVALID_VALUE);
    GenSemaphores(1, &s);
    WaitSemaphore(s, 0, nullptr, 0, nullptr, nullptr);
    CHECK(glGetError() == GL_INVALID_OPERATION);  // nothing was imported
    SignalSemaphore(999, 0, nullptr, 0, nullptr, nullptr);
    CHECK(glGetError() == GL_INVALID_VALUE);
    ImportSemaphoreFd(s, GL_HANDLE_TYPE_OPAQUE_FD_EXT, -1);
    CHECK(glGetError() == GL_INVALID_VALUE);
    SealedMemory memory(4096);
    ImportSemaphoreFd(s, GL_HANDLE_TYPE_OPAQUE_FD_EXT, memory.fd);
    CHECK(glGetError() == GL_INVALID_VALUE);
    ImportSemaphoreFd(999, GL_HANDLE_TYPE_OPAQUE_FD_EXT, memory.fd);
    CHECK(glGetError() == GL_INVALID_VALUE);
    const int event = eventfd(0, EFD_CLOEXEC);
    ImportSemaphoreFd(s, GL_TEXTURE_2D, event);
    CHECK(glGetError() == GL_INVALID_ENUM);
    ImportSemaphoreFd(s, GL_HANDLE_TYPE_OPAQUE_FD_EXT, event);
    CHECK(glGetError() == GL_NO_ERROR);
    ImportSemaphoreFd(s, GL_HANDLE_TYPE_OPAQUE_FD_EXT, event);
    CHECK(glGetError() == GL_INVALID_OPERATION);
    GLuint64 value = 0;
    GetSemaphoreParameterui64v(s, GL_TEXTURE_2D, &value);
    CHECK(glGetError() == GL_INVALID_ENUM);
    GLuint t = 0;
    glGenTextures(1, &t);
    glBindTexture(GL_TEXTURE_2D, t);
    const GLenum bad = GL_TEXTURE_2D, good = GL_LAYOUT_GENERAL_EXT;
    const GLuint none = 999;
    SignalSemaphore(s, 0, nullptr, 1, &t, &bad);
    CHECK(glGetError() == GL_INVALID_ENUM);
    SignalSemaphore(s, 0, nullptr, 1, &none, &good);
    CHECK(glGetError() == GL_INVALID_VALUE);
    SignalSemaphore(s, 1, &none, 0, nullptr, nullptr);
    CHECK(glGetError() == GL_INVALID_VALUE);
    SignalSemaphore(s, 0, nullptr, 1, &t, &good);
    CHECK(glGetError() == GL_NO_ERROR);
    WaitSemaphore(s, 0, nullptr, 1, &t, &good);
    CHECK(glGetError() == GL_NO_ERROR);
}

constexpr char kChild[] = "TERRAZZO_TEST_EXTERNAL";  // "memory,first,second": descriptors

/// The other process of the next case. Alone it does nothing.
TEST_CASE("memory object: the other process") {
    const char* const text = std::getenv(kChild);
    int memory = -1, first = -1, second = -1;
    if (!text) return;
    REQUIRE(std::sscanf(text, "%d,%d,%d", &memory, &first, &second) == 3);
    External e;
    const GLuint drawn = e.semaphore_of(first), answered = e.semaphore_of(second);
    const GLuint t = e.target(e.memory_of(memory));
    const GLenum layout = GL_LAYOUT_GENERAL_EXT;
    e.WaitSemaphore(drawn, 0, nullptr, 1, &t, &layout);
    REQUIRE(e.pixel(7, 7) == Bytes{0, 0, 255, 255});
    e.clear(1, 1, 0);
    e.SignalSemaphore(answered, 0, nullptr, 1, &t, &layout);
    REQUIRE(glGetError() == GL_NO_ERROR);
}

TEST_CASE_FIXTURE(External, "memory object: two processes draw in turn, ordered by semaphores") {
    SealedMemory memory(kMemory_B);
    const int drawn = eventfd(0, 0), answered = eventfd(0, 0), shared = dup(memory.fd);
    const GLuint first = semaphore_of(dup(drawn)), second = semaphore_of(dup(answered));
    const GLuint t = target(memory_of(memory.duplicate()));
    const GLenum layout = GL_LAYOUT_GENERAL_EXT;
    const std::string variable = std::string(kChild) + "=" + std::to_string(shared) + "," +
                                 std::to_string(drawn) + "," + std::to_string(answered);
    std::vector<char*> environment{const_cast<char*>(variable.c_str())};
    for (char** v = environ; *v; ++v)
        environment.push_back(*v);
    environment.push_back(nullptr);
    char program[] = "/proc/self/exe", which[] = "-tc=memory object: the other process", quiet[] = "-m";
    char* const arguments[] = {program, which, quiet, nullptr};
    pid_t child = 0;
    REQUIRE(posix_spawn(&child, program, nullptr, nullptr, arguments, environment.data()) == 0);
    clear(0, 0, 1);
    SignalSemaphore(first, 0, nullptr, 1, &t, &layout);
    WaitSemaphore(second, 0, nullptr, 1, &t, &layout);
    CHECK(pixel(7, 7) == Bytes{255, 255, 0, 255});
    int status = -1;
    REQUIRE(waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 0);
    CHECK(glGetError() == GL_NO_ERROR);
    for (const int fd : {drawn, answered, shared})
        close(fd);
}

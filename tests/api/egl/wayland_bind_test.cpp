// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// EGL_WL_bind_wayland_display: a compositor and its client in one thread, on the GPU of the shim's node.
#include <sys/socket.h>
#include <wayland-client.h>
#include <wayland-server.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>

#include "tests/api/egl/shared_memory.h"

using namespace fixture;

namespace {

// The protocol, from the client's side.
const wl_interface* const kTypes[] = {&wl_buffer_interface,
                                      nullptr,
                                      nullptr,
                                      nullptr,
                                      nullptr,
                                      nullptr,
                                      nullptr,
                                      nullptr,
                                      nullptr,
                                      nullptr,
                                      nullptr,
                                      nullptr};
const wl_message kRequests[] = {
    {"authenticate", "u", const_cast<const wl_interface**>(kTypes + 1)},
    {"create_buffer", "nuiiuu", const_cast<const wl_interface**>(kTypes)},
    {"create_planar_buffer", "nuiiuiiiiii", const_cast<const wl_interface**>(kTypes)},
    {"create_prime_buffer", "2nhiiuiiiiii", const_cast<const wl_interface**>(kTypes)}};
const wl_message kEvents[] = {{"device", "s", const_cast<const wl_interface**>(kTypes + 1)},
                              {"format", "u", const_cast<const wl_interface**>(kTypes + 1)},
                              {"authenticated", "", const_cast<const wl_interface**>(kTypes + 1)},
                              {"capabilities", "2u", const_cast<const wl_interface**>(kTypes + 1)}};
const wl_interface kDrm = {"wl_drm", 2, 4, kRequests, 4, kEvents};

constexpr uint32_t kArgb = 0x34325241, kXrgb = 0x34325258, kNv12 = 0x3231564e;
constexpr int kWidth = 32, kHeight = 32, kStride_B = 128;  // a page

/// The events that the client gets from a wl_drm.
struct Client {
    wl_display* display = nullptr;
    wl_proxy* drm = nullptr;
    std::string device;
    std::vector<uint32_t> formats;
    uint32_t capabilities = 0;
    bool authenticated = false;

    wl_buffer* create(int fd, uint32_t fourcc, int height = kHeight, int offset1_B = 0, int stride1_B = 0,
                      int stride_B = kStride_B) {
        return reinterpret_cast<wl_buffer*>(
            wl_proxy_marshal_constructor(drm, 3, &wl_buffer_interface, nullptr, fd, kWidth, height, fourcc, 0,
                                         stride_B, offset1_B, stride1_B, 0, 0));
    }
};

struct Events {
    void (*device)(void*, wl_proxy*, const char*);
    void (*format)(void*, wl_proxy*, uint32_t);
    void (*authenticated)(void*, wl_proxy*);
    void (*capabilities)(void*, wl_proxy*, uint32_t);
};
constexpr Events kListener = {
    [](void* c, wl_proxy*, const char* path) { static_cast<Client*>(c)->device = path; },
    [](void* c, wl_proxy*, uint32_t f) { static_cast<Client*>(c)->formats.push_back(f); },
    [](void* c, wl_proxy*) { static_cast<Client*>(c)->authenticated = true; },
    [](void* c, wl_proxy*, uint32_t bits) { static_cast<Client*>(c)->capabilities = bits; }};
constexpr wl_registry_listener kRegistry = {
    [](void* data, wl_registry* r, uint32_t name, const char* interface, uint32_t version) {
        if (std::strcmp(interface, "wl_drm") != 0) return;
        auto& c = *static_cast<Client*>(data);
        CHECK(version == 2);
        c.drm = static_cast<wl_proxy*>(wl_registry_bind(r, name, &kDrm, 2));
        wl_proxy_add_listener(c.drm, reinterpret_cast<void (**)()>(const_cast<Events*>(&kListener)), &c);
    },
    [](void*, wl_registry*, uint32_t) {}};

struct Bound {
    PFNEGLBINDWAYLANDDISPLAYWLPROC bind = proc<PFNEGLBINDWAYLANDDISPLAYWLPROC>("eglBindWaylandDisplayWL");
    PFNEGLUNBINDWAYLANDDISPLAYWLPROC unbind =
        proc<PFNEGLUNBINDWAYLANDDISPLAYWLPROC>("eglUnbindWaylandDisplayWL");
    PFNEGLQUERYWAYLANDBUFFERWLPROC query = proc<PFNEGLQUERYWAYLANDBUFFERWLPROC>("eglQueryWaylandBufferWL");
    PFNEGLCREATEIMAGEKHRPROC create = proc<PFNEGLCREATEIMAGEKHRPROC>("eglCreateImageKHR");
    EGLDisplay dpy = EGL_NO_DISPLAY;
    wl_display* server = wl_display_create();
    wl_client* peer = nullptr;
    Client client;
    std::string node;

    /// The display of the first device with a render node.
    EGLDisplay display_with_node() {
        auto devices = proc<PFNEGLQUERYDEVICESEXTPROC>("eglQueryDevicesEXT");
        auto text = proc<PFNEGLQUERYDEVICESTRINGEXTPROC>("eglQueryDeviceStringEXT");
        EGLDeviceEXT list[16];
        EGLint count = 0;
        REQUIRE(devices(16, list, &count));
        for (EGLint i = 0; i < count; ++i)
            if (std::strstr(text(list[i], EGL_EXTENSIONS), "EGL_EXT_device_drm_render_node")) {
                node = text(list[i], EGL_DRM_RENDER_NODE_FILE_EXT);
                return eglGetPlatformDisplay(EGL_PLATFORM_DEVICE_EXT, list[i], nullptr);
            }
        return EGL_NO_DISPLAY;
    }
    Bound() {
        dpy = display_with_node();
        REQUIRE(dpy != EGL_NO_DISPLAY);
        REQUIRE(eglInitialize(dpy, nullptr, nullptr));
        REQUIRE(std::strstr(eglQueryString(dpy, EGL_EXTENSIONS), "EGL_WL_bind_wayland_display"));
        REQUIRE(bind(dpy, server));
        int ends[2];
        REQUIRE(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0);
        peer = wl_client_create(server, ends[0]);
        client.display = wl_display_connect_to_fd(ends[1]);
        wl_registry* const registry = wl_display_get_registry(client.display);
        wl_registry_add_listener(registry, &kRegistry, &client);
        roundtrip();
        roundtrip();
    }
    ~Bound() {
        wl_display_disconnect(client.display);
        if (server) {
            wl_display_destroy_clients(server);
            wl_display_destroy(server);
        }
        eglMakeCurrent(dpy, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
        eglTerminate(dpy);
        eglReleaseThread();
    }
    /// Passes requests to the server and events to the client. False if the connection has ended.
    bool roundtrip() {
        wl_display_flush(client.display);
        wl_event_loop_dispatch(wl_display_get_event_loop(server), 0);
        wl_display_flush_clients(server);
        while (wl_display_prepare_read(client.display) != 0)
            wl_display_dispatch_pending(client.display);
        wl_display_read_events(client.display);
        return wl_display_dispatch_pending(client.display) >= 0;
    }
    wl_resource* resource(wl_buffer* b) {
        REQUIRE(send());
        wl_resource* const r = wl_client_get_object(peer, wl_proxy_get_id(reinterpret_cast<wl_proxy*>(b)));
        REQUIRE(r);
        return r;
    }
    /// Only requests: the server need not answer.
    bool send() {
        wl_display_flush(client.display);
        return wl_event_loop_dispatch(wl_display_get_event_loop(server), 0) == 0;
    }
    /// Makes a context with a pbuffer current.
    void make_current() {
        const EGLint wanted[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RED_SIZE, 8, EGL_ALPHA_SIZE, 8,
                                 EGL_NONE};
        const EGLint version[] = {EGL_CONTEXT_CLIENT_VERSION, 2, EGL_NONE};
        const EGLint size[] = {EGL_WIDTH, kWidth, EGL_HEIGHT, kHeight, EGL_NONE};
        EGLConfig c = nullptr;
        EGLint n = 0;
        REQUIRE(eglChooseConfig(dpy, wanted, &c, 1, &n));
        EGLContext x = eglCreateContext(dpy, c, EGL_NO_CONTEXT, version);
        EGLSurface s = eglCreatePbufferSurface(dpy, c, size);
        REQUIRE(eglMakeCurrent(dpy, s, s, x));
    }
};

}  // namespace

TEST_CASE_FIXTURE(Bound, "wl_drm: a client gets the node, the formats and the capability of PRIME") {
    REQUIRE(client.drm);
    CHECK(client.device == node);
    CHECK(client.capabilities == 1);
    for (const uint32_t f : {kArgb, kXrgb})
        CHECK(std::count(client.formats.begin(), client.formats.end(), f) == 1);
    wl_proxy_marshal(client.drm, 0, 7u);
    CHECK(roundtrip());
    CHECK(client.authenticated);
}

TEST_CASE_FIXTURE(Bound, "wl_drm: a client's buffer is an image with its pixels") {
    SealedMemory memory(kStride_B * kHeight);
    for (int y = 0; y < kHeight; ++y)
        for (int x = 0; x < kWidth; ++x)
            memory.word(size_t(y * kStride_B + x * 4)) = 0xff000000 | unsigned(x) << 16 | unsigned(y) << 8;
    wl_buffer* const buffer = client.create(memory.fd, kArgb);
    wl_resource* const r = resource(buffer);
    EGLint value = -1;
    CHECK(query(dpy, r, EGL_TEXTURE_FORMAT, &value));
    CHECK(value == EGL_TEXTURE_RGBA);
    CHECK(query(dpy, r, EGL_WIDTH, &value));
    CHECK(value == kWidth);
    CHECK(query(dpy, r, EGL_HEIGHT, &value));
    CHECK(value == kHeight);
    CHECK(query(dpy, r, EGL_WAYLAND_Y_INVERTED_WL, &value));
    CHECK(value == EGL_TRUE);
    CHECK_EGL_ERROR(query(dpy, r, EGL_DEPTH_SIZE, &value), EGL_FALSE, EGL_BAD_PARAMETER);
    make_current();
    const EGLint plane[] = {EGL_WAYLAND_PLANE_WL, 0, EGL_NONE},
                 no_plane[] = {EGL_WAYLAND_PLANE_WL, 1, EGL_NONE};
    CHECK_EGL_ERROR(
        create(dpy, EGL_NO_CONTEXT, EGL_WAYLAND_BUFFER_WL, reinterpret_cast<EGLClientBuffer>(r), no_plane),
        EGL_NO_IMAGE, EGL_BAD_PARAMETER);
    CHECK_EGL_ERROR(create(dpy, eglGetCurrentContext(), EGL_WAYLAND_BUFFER_WL,
                           reinterpret_cast<EGLClientBuffer>(r), plane),
                    EGL_NO_IMAGE, EGL_BAD_PARAMETER);
    const EGLImageKHR image =
        create(dpy, EGL_NO_CONTEXT, EGL_WAYLAND_BUFFER_WL, reinterpret_cast<EGLClientBuffer>(r), plane);
    REQUIRE(image != EGL_NO_IMAGE);
    // The client destroys its buffer; the image keeps the memory.
    wl_buffer_destroy(buffer);
    CHECK(send());
    texture_of(image);
    glViewport(0, 0, kWidth, kHeight);
    draw_texture();
    unsigned char p[4] = {};
    glReadPixels(21, 9, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, p);
    CHECK(int(p[0]) == 21);
    CHECK(int(p[1]) == 9);
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE_FIXTURE(Bound, "wl_drm: opaque and planar buffers report their format") {
    SealedMemory memory(65536);
    EGLint value = -1;
    CHECK(query(dpy, resource(client.create(memory.fd, kXrgb)), EGL_TEXTURE_FORMAT, &value));
    CHECK(value == EGL_TEXTURE_RGB);
    if (!std::count(client.formats.begin(), client.formats.end(), kNv12)) return;
    wl_resource* const r = resource(client.create(memory.fd, kNv12, kHeight, 4096, kStride_B));
    CHECK(query(dpy, r, EGL_TEXTURE_FORMAT, &value));
    CHECK(value == EGL_TEXTURE_Y_UV_WL);
    for (const EGLint n : {0, 1}) {
        const EGLint plane[] = {EGL_WAYLAND_PLANE_WL, n, EGL_NONE};
        const EGLImageKHR image =
            create(dpy, EGL_NO_CONTEXT, EGL_WAYLAND_BUFFER_WL, reinterpret_cast<EGLClientBuffer>(r), plane);
        REQUIRE(image != EGL_NO_IMAGE);
    }
}

TEST_CASE_FIXTURE(Bound, "wl_drm: a broken rule only ends the client's connection") {
    SealedMemory memory(kStride_B * kHeight);
    SUBCASE("a format that was not offered") {
        client.create(memory.fd, 0x20202020);
    }
    SUBCASE("a size beyond the memory") {
        client.create(memory.fd, kArgb, kHeight + 1);
    }
    SUBCASE("a negative size") {
        client.create(memory.fd, kArgb, -1);
    }
    SUBCASE("a stride that is less than a row") {
        client.create(memory.fd, kArgb, kHeight, 0, 0, 64);
    }
    SUBCASE("no memory") {
        client.create(0, kArgb);
    }
    SUBCASE("a name") {
        wl_proxy_marshal_constructor(client.drm, 1, &wl_buffer_interface, nullptr, 1u, kWidth, kHeight, 128u,
                                     kArgb);
    }
    CHECK(!roundtrip());
    CHECK(wl_display_get_error(client.display) == EPROTO);
}

TEST_CASE_FIXTURE(Bound, "wl_drm: bound once, and unbound") {
    CHECK_EGL_ERROR(bind(dpy, server), EGL_FALSE, EGL_BAD_ACCESS);
    wl_display* const other = wl_display_create();
    CHECK_EGL_ERROR(unbind(dpy, other), EGL_FALSE, EGL_BAD_PARAMETER);
    CHECK_EGL_ERROR(bind(dpy, nullptr), EGL_FALSE, EGL_BAD_PARAMETER);
    CHECK(unbind(dpy, server));
    CHECK_EGL_ERROR(unbind(dpy, server), EGL_FALSE, EGL_BAD_PARAMETER);
    // A client that has bound it before gets an event about its end.
    SealedMemory memory(kStride_B * kHeight);
    client.create(memory.fd, kArgb);
    CHECK(!roundtrip());
    CHECK(bind(dpy, other));
    // The end of a server removes its global.
    wl_display_destroy(other);
    CHECK(bind(dpy, server));
}

TEST_CASE_FIXTURE(Bound, "wl_drm: other buffers are not EGL's, which is no error") {
    EGLint value = -1;
    wl_resource* const foreign = wl_resource_create(peer, &wl_buffer_interface, 1, 0);
    CHECK(!query(dpy, foreign, EGL_TEXTURE_FORMAT, &value));
    CHECK(eglGetError() == EGL_SUCCESS);
    CHECK(value == -1);
    CHECK_EGL_ERROR(create(dpy, EGL_NO_CONTEXT, EGL_WAYLAND_BUFFER_WL,
                           reinterpret_cast<EGLClientBuffer>(foreign), nullptr),
                    EGL_NO_IMAGE, EGL_BAD_PARAMETER);
    wl_resource_destroy(foreign);
}

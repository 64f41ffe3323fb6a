// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Sources: xorgproto's dri3proto.txt (1.2), presentproto.txt (1.2), shm.txt (1.2), fixesproto.txt.
#include "winsys/x11/connection.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>
#include <xcb/dri3.h>
#include <xcb/present.h>
#include <xcb/shm.h>
#include <xcb/xfixes.h>

#include "winsys/environment/environment.h"

namespace terrazzo::winsys {
namespace {

/// Only a Unix socket can send descriptors.
bool carries_descriptors(int fd) {
    sockaddr_storage address{};
    socklen_t length = sizeof address;
    return getsockname(fd, reinterpret_cast<sockaddr*>(&address), &length) == 0 &&
           address.ss_family == AF_UNIX;
}

/// The version in a query's reply. 0: there was no reply.
template <class T>
uint32_t version_of(T* reply) {
    const XReply<T> r(reply);
    return r ? 100 * uint32_t(r->major_version) + uint32_t(r->minor_version) : 0;
}

bool has(xcb_connection_t* c, xcb_extension_t* extension, uint8_t* opcode = nullptr) {
    const xcb_query_extension_reply_t* e = xcb_get_extension_data(c, extension);
    if (e && opcode) *opcode = e->major_opcode;
    return e && e->present;
}

/// The common head of Present's events.
struct PresentEventHead {
    uint8_t response_type, extension;
    uint16_t sequence;
    uint32_t length;
    uint16_t type, pad;
    uint32_t event_id, window;
};

}  // namespace

bool X11Connection::connect(std::string* why) {
    int screen_number = 0;
    c = xcb_connect(nullptr, &screen_number);
    if (!alive()) {
        const char* name = environment(Variable::X11Display);
        *why = std::string("no X server answers at DISPLAY=") + (name ? name : "");
        return false;
    }
    wake_fd_ = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (wake_fd_ < 0) {
        *why = "no file descriptor is left";
        return false;
    }
    xcb_screen_iterator_t s = xcb_setup_roots_iterator(xcb_get_setup(c));
    while (screen_number-- > 0 && s.rem > 1)
        xcb_screen_next(&s);
    screen = s.data;
    query_extensions();
    return true;
}

X11Connection::~X11Connection() {
    if (wake_fd_ >= 0) close(wake_fd_);
    if (c) xcb_disconnect(c);
}

void X11Connection::query_extensions() {
    X11Extensions& e = extensions;
    if (!carries_descriptors(xcb_get_file_descriptor(c))) {
        e.why_no_dri3 = e.why_no_shm = "the connection to the server is no Unix socket";
        return;
    }
    for (xcb_extension_t* extension : {&xcb_dri3_id, &xcb_present_id, &xcb_xfixes_id, &xcb_shm_id})
        xcb_prefetch_extension_data(c, extension);
    if (has(c, &xcb_shm_id))
        e.shm = version_of(xcb_shm_query_version_reply(c, xcb_shm_query_version(c), nullptr));
    if (e.shm < 102) {  // 1.2 can share memory by descriptor
        e.why_no_shm = e.shm ? "the server's MIT-SHM is older than 1.2" : "the server has no MIT-SHM";
        e.shm = 0;
    }
    if (!has(c, &xcb_dri3_id)) {
        e.why_no_dri3 = "the server has no DRI3";
    } else if (!has(c, &xcb_present_id, &e.present_opcode)) {
        e.why_no_dri3 = "the server has no Present";
    } else if (!has(c, &xcb_xfixes_id) || version_of(xcb_xfixes_query_version_reply(
                                              c, xcb_xfixes_query_version(c, 2, 0), nullptr)) < 200) {
        e.why_no_dri3 = "the server has no XFIXES 2, whose regions say what is damaged";
    } else {
        e.present =
            version_of(xcb_present_query_version_reply(c, xcb_present_query_version(c, 1, 2), nullptr));
        e.dri3 = version_of(xcb_dri3_query_version_reply(c, xcb_dri3_query_version(c, 1, 2), nullptr));
        if (!e.present) e.dri3 = 0;
        if (!e.dri3) e.why_no_dri3 = "the server's DRI3 or Present does not answer";
    }
    if (e.dri3) query_gpu();
}

void X11Connection::query_gpu() {
    const XReply<xcb_dri3_open_reply_t> r(xcb_dri3_open_reply(c, xcb_dri3_open(c, screen->root, 0), nullptr));
    for (int i = 0; r && i < r->nfd; ++i) {
        const int fd = xcb_dri3_open_reply_fds(c, r.get())[i];
        struct stat s;
        if (fstat(fd, &s) == 0 && S_ISCHR(s.st_mode)) extensions.gpu = s.st_rdev;
        close(fd);
    }
}

void X11Connection::hand_on(const xcb_generic_event_t& event) {
    const auto listener = [this](xcb_window_t id) {
        const auto it = windows.find(id);
        return it == windows.end() ? nullptr : it->second;
    };
    switch (event.response_type & 0x7f) {
        case 0:
            for (const auto& [id, l] : windows)
                if (l) l->on_error(reinterpret_cast<const xcb_generic_error_t&>(event));
            break;
        case XCB_DESTROY_NOTIFY:
            if (X11Listener* l = listener(reinterpret_cast<const xcb_destroy_notify_event_t&>(event).window))
                l->on_destroyed();
            break;
        case XCB_GE_GENERIC: {
            const auto& head = reinterpret_cast<const PresentEventHead&>(event);
            if (!extensions.present || head.extension != extensions.present_opcode) break;
            if (X11Listener* l = listener(head.window))
                l->on_present_event(reinterpret_cast<const xcb_ge_generic_event_t&>(event));
            break;
        }
        default:  // events for every client (MappingNotify), and ConfigureNotify of windows
            break;
    }
}

/// True if there was an event.
bool X11Connection::dispatch_locked() {
    bool any = false;
    while (XReply<xcb_generic_event_t> event{xcb_poll_for_event(c)}) {
        hand_on(*event);
        any = true;
    }
    return any;
}

void X11Connection::dispatch() {
    std::lock_guard lock(mutex);
    if (!dispatch_locked()) return;
    events_came_.notify_all();
    if (reading_) (void)eventfd_write(wake_fd_, 1);
}

void X11Connection::wait_for_events(std::unique_lock<std::mutex>& lock) {
    if (reading_) {
        events_came_.wait(lock);
        return;
    }
    reading_ = true;
    lock.unlock();
    pollfd fds[]{{xcb_get_file_descriptor(c), POLLIN, 0}, {wake_fd_, POLLIN, 0}};
    (void)poll(fds, 2, -1);
    eventfd_t ignored;
    (void)eventfd_read(wake_fd_, &ignored);
    lock.lock();
    reading_ = false;
    dispatch_locked();
    events_came_.notify_all();
}

}  // namespace terrazzo::winsys

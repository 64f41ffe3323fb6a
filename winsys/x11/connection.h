// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The connection to an X server that all windows of a platform share: the server's extensions and its events.
//
// Window ids belong to the server, not to a connection. So Terrazzo uses a connection of its own and never
// touches the application's. It is opened once: when a sandboxed program creates its windows, it may be
// unable to connect again.
#pragma once

#include <xcb/xcb.h>

#include <condition_variable>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

namespace terrazzo::winsys {

template <class T>
struct XFree {
    void operator()(T* p) const { std::free(p); }
};
/// Memory that XCB allocates: replies, events, errors.
template <class T>
using XReply = std::unique_ptr<T, XFree<T>>;

/// Versions are 100 * major + minor. 0: the server lacks the extension, or it cannot be used here.
struct X11Extensions {
    uint32_t dri3 = 0, present = 0, shm = 0;
    uint8_t present_opcode = 0;
    /// Why windows cannot share buffers (`dri3` is 0), and why copies cannot use shared memory (`shm` is 0).
    std::string why_no_dri3, why_no_shm;
    uint64_t gpu = 0;  // the device number of the node that DRI3 opened; 0: unknown
};

/// Receives a window's events. Called with the connection's mutex held.
class X11Listener {
  public:
    virtual ~X11Listener() = default;
    virtual void on_destroyed() = 0;
    /// An event of the Present extension.
    virtual void on_present_event(const xcb_ge_generic_event_t& event) = 0;
    /// An error of a request without its own error check. It may concern another window: see its sequence
    /// number.
    virtual void on_error(const xcb_generic_error_t& error) = 0;
};

/// Thread: any.
class X11Connection {
  public:
    /// False: see `*why`.
    [[nodiscard]] bool connect(std::string* why);
    ~X11Connection();
    [[nodiscard]] bool alive() const { return !xcb_connection_has_error(c); }

    /// Delivers the events that have arrived. Must be called after each wait for a reply, since events may
    /// have arrived with it.
    void dispatch();
    /// Waits for events and delivers them until `done()`, which is called with the lock held, is true. False:
    /// the connection broke.
    template <class F>
    [[nodiscard]] bool wait_until(std::unique_lock<std::mutex>& lock, F&& done) {
        for (;;) {
            dispatch_locked();
            if (done()) return alive();
            if (!alive()) return false;
            wait_for_events(lock);
        }
    }

    xcb_connection_t* c = nullptr;
    xcb_screen_t* screen = nullptr;
    X11Extensions extensions;
    std::mutex mutex;
    std::unordered_map<xcb_window_t, X11Listener*>
        windows;  // that have a Window; null: it receives no events

  private:
    bool dispatch_locked();
    void hand_on(const xcb_generic_event_t& event);
    void wait_for_events(std::unique_lock<std::mutex>& lock);
    void query_extensions();
    void query_gpu();

    int wake_fd_ = -1;      // written to when another thread has read events from the socket
    bool reading_ = false;  // a thread waits at the socket; the others wait for that thread
    std::condition_variable events_came_;
};

}  // namespace terrazzo::winsys

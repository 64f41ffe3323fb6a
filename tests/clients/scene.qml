// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A scene for Qt Quick that stands still: gradients, clips, turned and blended rectangles, text, a layer. With a file's name as its
// last argument it writes its picture there and ends: qml scene.qml -- FILE
import QtQuick
import QtQuick.Window

Window {
    id: window
    width: 480
    height: 360
    visible: true
    color: "#f0ead6"
    property string file: Qt.application.arguments[Qt.application.arguments.length - 1]

    Item {
        id: scene
        anchors.fill: parent
        Rectangle {
            x: 20; y: 20; width: 200; height: 140; radius: 24
            border { width: 4; color: "#203040" }
            gradient: Gradient {
                GradientStop { position: 0; color: "#e05020" }
                GradientStop { position: 1; color: "#f0d060" }
            }
        }
        Rectangle { x: 130; y: 90; width: 120; height: 120; rotation: 30; antialiasing: true; color: "#8020a0ff" }
        Text { x: 260; y: 30; text: "Qt Quick"; font.pixelSize: 44; color: "#203040" }
        Text { x: 260; y: 90; width: 200; wrapMode: Text.Wrap; text: "Text is drawn from distance fields, in the scene graph of Qt 6."; font.pixelSize: 18 }
        Item {
            x: 30; y: 230; width: 200; height: 100; clip: true
            Repeater {
                model: 12
                Rectangle { x: index * 20 - 10; y: 10 + 30 * (index % 3); width: 60; height: 60; radius: 30; color: Qt.hsla(index / 12, 0.8, 0.5, 0.6) }
            }
        }
        Item {
            x: 270; y: 200; width: 180; height: 130; opacity: 0.7
            layer.enabled: true
            layer.smooth: true
            transform: Rotation { origin.x: 90; origin.y: 65; axis { x: 0.3; y: 1; z: 0 } angle: 35 }
            Rectangle { anchors.fill: parent; color: "#2f6f4f" }
            Text { anchors.centerIn: parent; text: "layer"; color: "white"; font.pixelSize: 40 }
        }
    }
    // The first frame is there before the picture is taken.
    Timer {
        interval: 500
        running: /\.png$/.test(window.file)
        onTriggered: scene.grabToImage(result => { result.saveToFile(window.file); Qt.quit() })
    }
}

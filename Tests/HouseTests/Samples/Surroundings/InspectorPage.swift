import Trove
import TroveInspector

/// What the samples of docs/inspector.md take for granted.
enum InspectorPage {
    static var store: ObjectStore { missing() }
    static var inspector: Inspector { missing() }
}

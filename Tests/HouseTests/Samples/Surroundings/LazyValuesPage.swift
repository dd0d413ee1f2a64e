import Foundation
import Trove

/// What the samples of docs/lazy-values.md take for granted.
enum LazyValuesPage {
    static var store: ObjectStore { missing() }
    static var context: ObjectContext { missing() }
    static var data: Data { missing() }
}

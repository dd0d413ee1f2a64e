import Trove

/// A number that several processes change.
@Model
package struct Account: Hashable {
    package var id: Int
    package var balance: Int
}

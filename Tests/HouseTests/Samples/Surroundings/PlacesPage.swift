import Trove

/// What the samples of docs/places.md take for granted.
enum PlacesPage {
    static var store: ObjectStore { missing() }
    static var corner: GeoPoint { missing() }
    static var opposite: GeoPoint { missing() }
}

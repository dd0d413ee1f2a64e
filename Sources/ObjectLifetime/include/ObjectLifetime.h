#ifndef OBJECT_LIFETIME_H
#define OBJECT_LIFETIME_H

/// Retains a Swift object unless its last strong reference is gone and it is ending; returns the object, or null then.
///
/// The object's memory must still be there, as it is while something has an unowned reference to it. It is the runtime's `swift_tryRetain`, by which weak
/// references are read; Swift code may not name it.
void *_Nullable trove_try_retain(void *_Nonnull object);

#endif

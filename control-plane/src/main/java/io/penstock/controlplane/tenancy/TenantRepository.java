package io.penstock.controlplane.tenancy;

import io.penstock.controlplane.web.Paging;
import io.penstock.controlplane.web.ProblemException;
import io.quarkus.hibernate.orm.panache.PanacheRepositoryBase;
import java.util.ArrayList;
import java.util.List;

/** Rows of one organisation. The database hides foreign rows already; this refuses them a second time. */
public abstract class TenantRepository<E extends TenantEntity> implements PanacheRepositoryBase<E, String> {

    /** The row, or 404. */
    public E get(Scope scope, String id) {
        E row = findById(id);
        if (row == null || !row.orgId.equals(scope.orgId())) {
            throw ProblemException.notFound();
        }
        return row;
    }

    /** Up to one row more than the window holds, of those whose `field` is `value`, in order of ids. */
    public List<E> window(Scope scope, String field, String value, Paging.Window window) {
        String after = window.after() == null ? "" : window.after();
        return find("orgId = ?1 and " + field + " = ?2 and id > ?3 order by id", scope.orgId(), value, after)
                .page(0, window.size() + 1)
                .list();
    }

    /** As {@link #window}, of those that a further condition holds for; its parameters start at `?4`. */
    public List<E> window(
            Scope scope, String field, String value, Paging.Window window, String condition, Object... parameters) {
        List<Object> all = new ArrayList<>();
        all.add(scope.orgId());
        all.add(value);
        all.add(window.after() == null ? "" : window.after());
        all.addAll(List.of(parameters));
        return find("orgId = ?1 and " + field + " = ?2 and id > ?3 and " + condition + " order by id", all.toArray())
                .page(0, window.size() + 1)
                .list();
    }

    /** As {@link #window}, of those called `name`; of all when that is null. */
    public List<E> named(Scope scope, String field, String value, Paging.Window window, String name) {
        return name == null
                ? window(scope, field, value, window)
                : window(scope, field, value, window, "name = ?4", name);
    }

    /** As {@link #window}, newest first. */
    public List<E> newest(Scope scope, String field, String value, Paging.Window window) {
        String before = window.after() == null ? "~" : window.after();
        return find("orgId = ?1 and " + field + " = ?2 and id < ?3 order by id desc", scope.orgId(), value, before)
                .page(0, window.size() + 1)
                .list();
    }
}
